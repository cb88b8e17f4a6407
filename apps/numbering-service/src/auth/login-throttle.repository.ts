import { asDate, type Tx, varchar } from '@malote/persistence';
import { Injectable } from '@nestjs/common';
import { type Counter, delayAfter, failuresAfter, type ThrottleKey } from './login-throttle.ts';

const TABLE = 'TB_LOGIN_THROTTLES';
const COLUMNS = ['Failures', 'BlockedUntil', 'LastFailureAt', 'LastSuccessAt'];

interface CounterRow {
  readonly Failures: number;
  readonly BlockedUntil: unknown;
  readonly LastFailureAt: unknown;
  readonly LastSuccessAt: unknown;
}

/** A failure as it was counted, to be taken back when it turns out to be none. */
export interface CountedFailure extends ThrottleKey {
  readonly failures: number;
}

@Injectable()
export class LoginThrottleRepository {
  /** Nobody else counts by this key until the transaction ends: guesses that come at once are looked at one after the other. */
  async lock(tx: Tx, { kind, key }: ThrottleKey): Promise<Counter> {
    const ThrottleKey = varchar(key, 64);
    await tx.dialect.insertOnce(tx, TABLE, { ThrottleKey }, 'ThrottleKey');
    const row = await tx.dialect.changeOne<CounterRow>(
      tx,
      { table: TABLE, set: 'Failures = Failures', key: ['ThrottleKey'], returning: COLUMNS },
      { ThrottleKey },
    );
    return {
      kind,
      key,
      failures: row?.Failures ?? 0,
      blockedUntil: asDate(row?.BlockedUntil),
      lastFailureAt: asDate(row?.LastFailureAt),
      lastSuccessAt: asDate(row?.LastSuccessAt),
    };
  }

  async count(tx: Tx, counter: Counter, now: Date): Promise<CountedFailure> {
    const { kind, key } = counter;
    const failures = failuresAfter(counter, now);
    const delayMs = delayAfter(kind, failures);
    await tx.execute(
      `UPDATE ${tx.dialect.table(TABLE)} SET Failures = @failures, LastFailureAt = @now, ` +
        `BlockedUntil = @blockedUntil WHERE ThrottleKey = @key`,
      {
        key: varchar(key, 64),
        failures,
        now,
        blockedUntil: delayMs === 0 ? null : new Date(now.getTime() + delayMs),
      },
    );
    return { kind, key, failures };
  }

  /** The delay goes too, unless somebody has failed since. */
  async takeBack(tx: Tx, { key, failures }: CountedFailure): Promise<void> {
    await tx.execute(
      `UPDATE ${tx.dialect.table(TABLE)} SET Failures = Failures - 1, ` +
        `BlockedUntil = CASE WHEN Failures = @failures THEN NULL ELSE BlockedUntil END ` +
        `WHERE ThrottleKey = @key AND Failures > 0`,
      { key: varchar(key, 64), failures },
    );
  }

  async reset(tx: Tx, { key }: ThrottleKey, now: Date): Promise<void> {
    await tx.execute(
      `UPDATE ${tx.dialect.table(TABLE)} SET Failures = 0, BlockedUntil = NULL, LastSuccessAt = @now ` +
        `WHERE ThrottleKey = @key`,
      { key: varchar(key, 64), now },
    );
  }

  deleteUntouchedSince(tx: Tx, moment: Date): Promise<number> {
    return tx.execute(
      `DELETE FROM ${tx.dialect.table(TABLE)} WHERE COALESCE(LastFailureAt, @moment) <= @moment ` +
        `AND COALESCE(LastSuccessAt, @moment) <= @moment`,
      { moment },
    );
  }
}
