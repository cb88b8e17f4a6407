import { asDate, type SqlRow, type Tx, type UnitOfWork, varchar } from '@malote/persistence';

const TABLE = 'TB_OUTBOX_TARGETS';
const COLUMNS = [
  'Target',
  'OpenCount',
  'BlockedUntil',
  'PausedAt',
  'PausedBy',
  'PauseReason',
  'LastSuccessAt',
];

export interface TargetState {
  readonly target: string;
  /** Zero: the breaker is closed. */
  readonly openCount: number;
  readonly blockedForMs: number;
  readonly paused: boolean;
  readonly lastSuccessAt: Date | null;
}

export interface TargetReport extends TargetState {
  readonly pause: Pause | null;
}

export interface Pause {
  readonly by: string;
  readonly reason: string;
  readonly since: Date;
}

export interface TargetLimits {
  /** Deliveries of one lane to one address under way at once, over all replicas. */
  readonly concurrency?: number;
  /** Deliveries per second to all addresses that share a breaker, over all replicas; may be less than one. */
  readonly perSecond?: number;
}

/** How many deliveries a rate allows now, and the clock they are paid from. */
export interface Allowance {
  readonly granted: number;
  /** How far the clock is ahead of the database's time; behind it when negative. */
  readonly aheadMs: number;
  readonly intervalMs: number;
}

/** What workers tell each other about targets, through the database. All names are those of `targetName`. */
export class TargetStore {
  constructor(private readonly uow: UnitOfWork) {}

  /** What is known of these; a name nobody has said anything of is missing. */
  read(names: readonly string[]): Promise<{ now: Date; states: TargetState[] }> {
    return this.uow.read(async (tx) => {
      const wanted = tx.dialect.jsonRows('names', { Name: 'varchar(300)' });
      const known = `SELECT t.* FROM ${wanted} AS j JOIN ${tx.dialect.table(TABLE)} AS t ON t.Target = j.Name`;
      const { now, rows } = await rowsOf(tx, `(${known})`, {
        names: JSON.stringify(names.map((Name) => ({ Name }))),
      });
      return { now, states: rows.map((row) => stateOf(row, now)) };
    });
  }

  /** For people: all targets, and who paused what and why. */
  async reports(tx: Tx): Promise<TargetReport[]> {
    const { now, rows } = await rowsOf(tx, tx.dialect.table(TABLE), {});
    return rows.map((row) => ({ ...stateOf(row, now), pause: pauseOf(row) }));
  }

  /** Opens the breaker, or opens it for longer; of many workers that see the same outage one counts. */
  trip(name: string, openCount: number, coolDownMs: number): Promise<void> {
    return this.change(name, async (tx, table) => {
      const until = tx.dialect.nowPlusMs('@coolDownMs');
      await tx.execute(
        `UPDATE ${table} SET OpenCount = OpenCount + 1, ` +
          `BlockedUntil = CASE WHEN BlockedUntil > ${until} THEN BlockedUntil ELSE ${until} END, ` +
          `ProbeOwner = NULL, UpdatedAt = ${tx.dialect.now} WHERE Target = @name AND OpenCount = @openCount`,
        { name: nameParameter(name), openCount, coolDownMs },
      );
    });
  }

  /** The target itself asked for a pause (`Retry-After`). */
  block(name: string, ms: number): Promise<void> {
    return this.change(name, async (tx, table) => {
      const until = tx.dialect.nowPlusMs('@ms');
      await tx.execute(
        `UPDATE ${table} SET BlockedUntil = ${until}, UpdatedAt = ${tx.dialect.now} ` +
          `WHERE Target = @name AND (BlockedUntil IS NULL OR BlockedUntil < ${until})`,
        { name: nameParameter(name), ms: Math.round(ms) },
      );
    });
  }

  /**
   * Closes the breaker for everybody when it is as open as the message found it: an answer to something that was begun before the
   * target broke says nothing about it now.
   */
  close(name: string, openCount: number): Promise<void> {
    return this.change(name, async (tx, table) => {
      await tx.execute(
        `UPDATE ${table} SET OpenCount = 0, BlockedUntil = NULL, ProbeOwner = NULL, UpdatedAt = ${tx.dialect.now} ` +
          `WHERE Target = @name AND OpenCount > 0 AND OpenCount = @openCount`,
        { name: nameParameter(name), openCount },
      );
    });
  }

  /** It has taken a message: others that fail now fail by their own fault. */
  accepted(name: string): Promise<void> {
    return this.change(name, async (tx, table) => {
      await tx.execute(
        `UPDATE ${table} SET LastSuccessAt = ${tx.dialect.now}, UpdatedAt = ${tx.dialect.now} WHERE Target = @name`,
        { name: nameParameter(name) },
      );
    });
  }

  /** One worker at a time looks whether a broken target is back. */
  takeProbe(name: string, openCount: number, leaseMs: number, owner: string): Promise<boolean> {
    return this.uow.run(async (tx) => {
      const taken = await tx.execute(
        `UPDATE ${tx.dialect.table(TABLE)} SET BlockedUntil = ${tx.dialect.nowPlusMs('@leaseMs')}, ProbeOwner = @owner ` +
          `WHERE Target = @name AND OpenCount = @openCount AND (BlockedUntil IS NULL OR BlockedUntil <= ${tx.dialect.now})`,
        { name: nameParameter(name), openCount, leaseMs, owner: varchar(owner, 100) },
      );
      return taken === 1;
    });
  }

  /** The probe found out nothing; the next one may look after so long. */
  releaseProbe(name: string, owner: string, afterMs: number): Promise<void> {
    return this.change(name, async (tx, table) => {
      await tx.execute(
        `UPDATE ${table} SET BlockedUntil = ${tx.dialect.nowPlusMs('@afterMs')}, ProbeOwner = NULL ` +
          `WHERE Target = @name AND ProbeOwner = @owner`,
        { name: nameParameter(name), owner: varchar(owner, 100), afterMs },
      );
    });
  }

  async setPaused(tx: Tx, name: string, pause: { actor: string; reason: string } | null): Promise<void> {
    await this.ensure(tx, name);
    await tx.execute(
      `UPDATE ${tx.dialect.table(TABLE)} SET PausedAt = ${pause ? tx.dialect.now : 'NULL'}, PausedBy = @actor, ` +
        `PauseReason = @reason, UpdatedAt = ${tx.dialect.now} WHERE Target = @name`,
      { name: nameParameter(name), actor: pause?.actor ?? null, reason: pause?.reason ?? null },
    );
  }

  /**
   * How many of the wanted deliveries the rate allows now. The row stays locked to the end of the transaction, so that
   * replicas are admitted one after the other; what was begun is paid with `spend`. A clock that runs ahead of time by what was
   * granted needs no counters.
   */
  async allowance(tx: Tx, name: string, wanted: number, perSecond: number): Promise<Allowance> {
    await this.ensure(tx, name);
    const [row] = await tx.query(
      `SELECT RateClock AS RateClock, ${tx.dialect.now} AS Now FROM ${tx.dialect.table(TABLE)} ${tx.dialect.lockedRead} WHERE Target = @name`,
      { name: nameParameter(name) },
    );
    const now = asDate(row?.Now)?.getTime() ?? 0;
    const intervalMs = 1000 / perSecond;
    const clock = Math.max(asDate(row?.RateClock)?.getTime() ?? 0, now - Math.max(1000, intervalMs));
    const granted = Math.max(0, Math.min(wanted, Math.floor((now - clock) / intervalMs)));
    return { granted, aheadMs: clock - now, intervalMs };
  }

  /** Only what was really taken: a token for a row that was not there would be lost. */
  async spend(tx: Tx, name: string, { aheadMs, intervalMs }: Allowance, taken: number): Promise<void> {
    if (taken === 0) return;
    await tx.execute(
      `UPDATE ${tx.dialect.table(TABLE)} SET RateClock = ${tx.dialect.nowPlusMs('@ms')} WHERE Target = @name`,
      { name: nameParameter(name), ms: Math.ceil(aheadMs + taken * intervalMs) },
    );
  }

  /** Serialises claims on a target whose total concurrency is limited. */
  async lockRow(tx: Tx, name: string): Promise<void> {
    await this.ensure(tx, name);
    await tx.execute(
      `UPDATE ${tx.dialect.table(TABLE)} SET UpdatedAt = ${tx.dialect.now} WHERE Target = @name`,
      { name: nameParameter(name) },
    );
  }

  private change(name: string, work: (tx: Tx, table: string) => Promise<void>): Promise<void> {
    return this.uow.run(async (tx) => {
      await this.ensure(tx, name);
      await work(tx, tx.dialect.table(TABLE));
    });
  }

  private async ensure(tx: Tx, name: string): Promise<void> {
    await tx.dialect.insertOnce(tx, TABLE, { Target: nameParameter(name) }, 'Target');
  }
}

function nameParameter(name: string) {
  return varchar(name, 300);
}

/** The time comes along even when there is no row. */
async function rowsOf(
  tx: Tx,
  source: string,
  parameters: Readonly<Record<string, string>>,
): Promise<{ now: Date; rows: SqlRow[] }> {
  const columns = COLUMNS.map((name) => `t.${name} AS ${name}`).join(', ');
  const rows = await tx.query(
    `SELECT n.Now AS Now, ${columns} FROM (SELECT ${tx.dialect.now} AS Now) AS n LEFT JOIN ${source} AS t ON 1 = 1`,
    parameters,
  );
  return { now: asDate(rows[0]?.Now) ?? new Date(), rows: rows.filter(({ Target }) => Target !== null) };
}

function stateOf(row: SqlRow, now: Date): TargetState {
  const blockedUntil = asDate(row.BlockedUntil)?.getTime() ?? 0;
  return {
    target: String(row.Target),
    openCount: Number(row.OpenCount),
    blockedForMs: Math.max(0, blockedUntil - now.getTime()),
    paused: row.PausedAt !== null,
    lastSuccessAt: asDate(row.LastSuccessAt),
  };
}

function pauseOf({ PausedAt, PausedBy, PauseReason }: SqlRow): Pause | null {
  const since = asDate(PausedAt);
  if (!since) return null;
  return { by: (PausedBy as string | null) ?? '', reason: (PauseReason as string | null) ?? '', since };
}
