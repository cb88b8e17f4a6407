import { asDate, datetime2, type Tx, varchar } from '@malote/persistence';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { LoginThrottleEntity } from './login-throttle.entity.ts';
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
  readonly before: Pick<Counter, 'blockedUntil' | 'lastFailureAt'>;
}

@Injectable()
export class LoginThrottleRepository {
  /** Those there are, as they are now: nobody is kept from counting, and nothing is written. */
  async look(tx: Tx, keys: readonly ThrottleKey[]): Promise<Counter[]> {
    const rows = await tx.entities.findBy(LoginThrottleEntity, {
      throttleKey: In(keys.map(({ key }) => key)),
    });
    return keys.flatMap(({ kind, key }) => {
      const row = rows.find(({ throttleKey }) => throttleKey === key);
      if (!row) return [];
      const { failures, blockedUntil, lastFailureAt, lastSuccessAt } = row;
      return [{ kind, key, failures, blockedUntil, lastFailureAt, lastSuccessAt }];
    });
  }

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
    const { kind, key, blockedUntil, lastFailureAt } = counter;
    const failures = failuresAfter(counter, now);
    const delayMs = delayAfter(kind, failures);
    await tx.execute(
      `UPDATE ${tx.dialect.table(TABLE)} SET Failures = @failures, LastFailureAt = @now, ` +
        `BlockedUntil = @blockedUntil WHERE ThrottleKey = @key`,
      {
        key: varchar(key, 64),
        failures,
        now,
        blockedUntil: datetime2(delayMs === 0 ? null : new Date(now.getTime() + delayMs)),
      },
    );
    return { kind, key, failures, before: { blockedUntil, lastFailureAt } };
  }

  /** The times are again what they were, unless somebody has failed since: a right attempt keeps no old failures alive. */
  async takeBack(tx: Tx, { key, failures, before }: CountedFailure): Promise<void> {
    const table = tx.dialect.table(TABLE);
    const ThrottleKey = varchar(key, 64);
    const restored = await tx.execute(
      `UPDATE ${table} SET Failures = Failures - 1, BlockedUntil = @blockedUntil, LastFailureAt = @lastFailureAt ` +
        `WHERE ThrottleKey = @ThrottleKey AND Failures = @failures`,
      {
        ThrottleKey,
        failures,
        blockedUntil: datetime2(before.blockedUntil),
        lastFailureAt: datetime2(before.lastFailureAt),
      },
    );
    if (restored > 0) return;
    await tx.execute(
      `UPDATE ${table} SET Failures = Failures - 1 WHERE ThrottleKey = @ThrottleKey AND Failures > 0`,
      { ThrottleKey },
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
