import { asDate, type SqlRow, type Tx, type UnitOfWork, varchar } from '@malote/persistence';

const TABLE = 'TB_OUTBOX_TARGETS';

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

/** What workers tell each other about targets, through the database. */
export class TargetStore {
  constructor(private readonly uow: UnitOfWork) {}

  all(): Promise<{ now: Date; states: TargetState[] }> {
    return this.uow.read(async (tx) => {
      const { now, rows } = await this.read(tx);
      return { now, states: rows.map((row) => stateOf(row, now)) };
    });
  }

  /** For people: also who paused what, and why. */
  async reports(tx: Tx): Promise<TargetReport[]> {
    const { now, rows } = await this.read(tx);
    return rows.map((row) => ({ ...stateOf(row, now), pause: pauseOf(row) }));
  }

  private async read(tx: Tx): Promise<{ now: Date; rows: SqlRow[] }> {
    const rows = await tx.query(
      `SELECT n.Now AS Now, t.Target AS Target, t.OpenCount AS OpenCount, t.BlockedUntil AS BlockedUntil, ` +
        `t.PausedAt AS PausedAt, t.PausedBy AS PausedBy, t.PauseReason AS PauseReason, t.LastSuccessAt AS LastSuccessAt ` +
        `FROM (SELECT ${tx.dialect.now} AS Now) AS n LEFT JOIN ${tx.dialect.table(TABLE)} AS t ON 1 = 1`,
    );
    const now = asDate(rows[0]?.Now) ?? new Date();
    return { now, rows: rows.filter(({ Target }) => Target !== null) };
  }

  /** Opens the breaker, or opens it for longer; of many workers that see the same outage one counts. */
  trip(target: string, openCount: number, coolDownMs: number): Promise<void> {
    return this.change(target, async (tx, table) => {
      await tx.execute(
        `UPDATE ${table} SET OpenCount = OpenCount + 1, BlockedUntil = ${tx.dialect.nowPlusMs('@coolDownMs')}, ` +
          `UpdatedAt = ${tx.dialect.now} WHERE Target = @target AND OpenCount = @openCount`,
        { target: varchar(target, 300), openCount, coolDownMs },
      );
    });
  }

  /** The target itself asked for a pause (`Retry-After`). */
  block(target: string, ms: number): Promise<void> {
    return this.change(target, async (tx, table) => {
      const until = tx.dialect.nowPlusMs('@ms');
      await tx.execute(
        `UPDATE ${table} SET BlockedUntil = ${until}, UpdatedAt = ${tx.dialect.now} ` +
          `WHERE Target = @target AND (BlockedUntil IS NULL OR BlockedUntil < ${until})`,
        { target: varchar(target, 300), ms: Math.round(ms) },
      );
    });
  }

  /** A success closes the breaker for everybody. */
  succeeded(target: string): Promise<void> {
    return this.change(target, async (tx, table) => {
      await tx.execute(
        `UPDATE ${table} SET OpenCount = 0, BlockedUntil = CASE WHEN OpenCount > 0 THEN NULL ELSE BlockedUntil END, ` +
          `LastSuccessAt = ${tx.dialect.now}, UpdatedAt = ${tx.dialect.now} WHERE Target = @target`,
        { target: varchar(target, 300) },
      );
    });
  }

  /** One worker at a time looks whether a broken target is back. */
  takeProbe(target: string, openCount: number, leaseMs: number): Promise<boolean> {
    return this.uow.run(async (tx) => {
      const taken = await tx.execute(
        `UPDATE ${tx.dialect.table(TABLE)} SET BlockedUntil = ${tx.dialect.nowPlusMs('@leaseMs')} ` +
          `WHERE Target = @target AND OpenCount = @openCount AND (BlockedUntil IS NULL OR BlockedUntil <= ${tx.dialect.now})`,
        { target: varchar(target, 300), openCount, leaseMs },
      );
      return taken === 1;
    });
  }

  releaseProbe(target: string): Promise<void> {
    return this.change(target, async (tx, table) => {
      await tx.execute(`UPDATE ${table} SET BlockedUntil = NULL WHERE Target = @target AND OpenCount > 0`, {
        target: varchar(target, 300),
      });
    });
  }

  async setPaused(tx: Tx, target: string, pause: { actor: string; reason: string } | null): Promise<void> {
    await this.ensure(tx, target);
    await tx.execute(
      `UPDATE ${tx.dialect.table(TABLE)} SET PausedAt = ${pause ? tx.dialect.now : 'NULL'}, PausedBy = @actor, ` +
        `PauseReason = @reason, UpdatedAt = ${tx.dialect.now} WHERE Target = @target`,
      { target: varchar(target, 300), actor: pause?.actor ?? null, reason: pause?.reason ?? null },
    );
  }

  /**
   * How many of the wanted deliveries the rate allows now. The row stays locked to the end of the transaction, so
   * replicas are admitted one after the other. A clock that runs ahead of time by what was granted needs no counters.
   */
  async admit(tx: Tx, target: string, wanted: number, perSecond: number): Promise<number> {
    await this.ensure(tx, target);
    const [row] = await tx.query(
      `SELECT RateClock AS RateClock, ${tx.dialect.now} AS Now FROM ${tx.dialect.table(TABLE)} ${tx.dialect.lockedRead} WHERE Target = @target`,
      { target: varchar(target, 300) },
    );
    const now = asDate(row?.Now)?.getTime() ?? 0;
    const intervalMs = 1000 / perSecond;
    const clock = Math.max(asDate(row?.RateClock)?.getTime() ?? 0, now - Math.max(1000, intervalMs));
    const granted = Math.min(wanted, Math.floor((now - clock) / intervalMs));
    if (granted <= 0) return 0;
    await tx.execute(
      `UPDATE ${tx.dialect.table(TABLE)} SET RateClock = ${tx.dialect.nowPlusMs('@ms')} WHERE Target = @target`,
      { target: varchar(target, 300), ms: Math.ceil(clock + granted * intervalMs - now) },
    );
    return granted;
  }

  /** Serialises claims on a target whose total concurrency is limited. */
  async lockRow(tx: Tx, target: string): Promise<void> {
    await this.ensure(tx, target);
    await tx.execute(
      `UPDATE ${tx.dialect.table(TABLE)} SET UpdatedAt = ${tx.dialect.now} WHERE Target = @target`,
      {
        target: varchar(target, 300),
      },
    );
  }

  private change(target: string, work: (tx: Tx, table: string) => Promise<void>): Promise<void> {
    return this.uow.run(async (tx) => {
      await this.ensure(tx, target);
      await work(tx, tx.dialect.table(TABLE));
    });
  }

  private async ensure(tx: Tx, target: string): Promise<void> {
    await tx.dialect.insertOnce(tx, TABLE, { Target: varchar(target, 300) }, 'Target');
  }
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
