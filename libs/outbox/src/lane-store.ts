import { asDate, type SqlRow, type Tx, type UnitOfWork, varchar } from '@malote/persistence';
import { ABANDONED_AGAIN, LaneSql, type Settlement, SMALL_BATCH } from './lane-sql.ts';
import { type Lane, type LaneMessage } from './lane.ts';

export interface DueTarget {
  readonly target: string;
  /** How long until its first row is due; zero or less: now. */
  readonly dueInMs: number;
}

export interface LaneDepth {
  readonly status: string;
  readonly count: number;
  readonly oldestSeconds: number;
}

/** All that happens to a lane's rows. Times are the database's; ids are strings, they outgrow a double. */
export class LaneStore {
  readonly sql: LaneSql;

  constructor(
    readonly lane: Lane,
    private readonly uow: UnitOfWork,
  ) {
    this.sql = new LaneSql(lane, uow.dialect);
  }

  peek(): Promise<DueTarget[]> {
    return this.uow.read(async (tx) => {
      const rows = await tx.query<{ GroupKey: string; Smallest: unknown; Now: unknown }>(this.sql.peek);
      return rows.flatMap(({ GroupKey, Smallest, Now }) => {
        const due = asDate(Smallest);
        const now = asDate(Now);
        return due && now ? [{ target: GroupKey, dueInMs: due.getTime() - now.getTime() }] : [];
      });
    });
  }

  async claim(tx: Tx, target: string, owner: string, limit: number, leaseMs: number): Promise<LaneMessage[]> {
    const parameters = { owner: varchar(owner, 100), limit, leaseMs };
    const rows = await tx.query(
      this.sql.claim,
      this.lane.target ? { ...parameters, target: varchar(target, 500) } : parameters,
    );
    const messages = rows.map((row) => this.toMessage(row, owner)).sort(byId);
    await this.mirror(tx, messages);
    return messages;
  }

  /** Fenced: returns those whose lease was still ours; the other rows belong to somebody else by now. */
  async settle(tx: Tx, settlements: readonly Settlement[]): Promise<Settlement[]> {
    const settled: Settlement[] = [];
    for (const batch of eachRowOnce(settlements)) settled.push(...(await this.settleRows(tx, batch)));
    const finishedKeys = settled.flatMap(({ message, verdict }) =>
      verdict === 'done' && message.orderKey !== null ? [message.orderKey] : [],
    );
    await this.promote(tx, finishedKeys);
    await this.mirror(
      tx,
      settled.map(({ message }) => message),
    );
    return settled;
  }

  private async mirror(tx: Tx, messages: readonly LaneMessage[]): Promise<void> {
    if (!this.lane.mirror || messages.length === 0) return;
    await this.lane.mirror(tx, [...new Set(messages.map(({ id }) => id))]);
  }

  private async settleRows(tx: Tx, settlements: readonly Settlement[]): Promise<Settlement[]> {
    // Always in the same order: two lanes of one table must not meet head-on.
    const inOrder = settlements.toSorted((a, b) => byId(a.message, b.message));
    const rows = inOrder.map(({ message, verdict, delayMs, error }) => ({
      Id: message.id,
      Owner: message.leaseOwner,
      Verdict: verdict,
      DelayMs: Math.round(delayMs),
      Error: error === null ? null : clip(error),
    }));
    const held = await tx.query<{ Id: unknown }>(this.sql.settle, { rows: JSON.stringify(rows) });
    const ids = new Set(held.map(({ Id }) => String(Id)));
    return settlements.filter(({ message }) => ids.has(message.id));
  }

  async promote(tx: Tx, orderKeys: readonly string[]): Promise<void> {
    if (orderKeys.length === 0) return;
    const keys = JSON.stringify(orderKeys.map((OrderKey) => ({ OrderKey })));
    await tx.query(this.sql.promote, { keys });
  }

  async renew(tx: Tx, messages: readonly LaneMessage[], leaseMs: number): Promise<Set<string>> {
    const held = new Set<string>();
    for (let from = 0; from < messages.length; from += SMALL_BATCH) {
      const part = messages.slice(from, from + SMALL_BATCH);
      const rows = JSON.stringify(part.map(({ id, leaseOwner }) => ({ Id: id, Owner: leaseOwner })));
      for (const { Id } of await tx.query<{ Id: unknown }>(this.sql.renew, { rows, leaseMs })) {
        held.add(String(Id));
      }
    }
    return held;
  }

  /** Rows of a target some worker is holding, in any replica. */
  async underWay(tx: Tx, target: string): Promise<number> {
    const { table, target: column, columns: c } = this.lane;
    const mine = column ? ` AND t.${column} = @target` : '';
    const [row] = await tx.query<{ UnderWay: number }>(
      `SELECT COUNT(*) AS UnderWay FROM ${tx.dialect.table(table)} AS t WHERE ${this.sql.live}${mine} ` +
        `AND t.${c.leaseOwner} IS NOT NULL AND t.${c.nextAttemptAt} > ${tx.dialect.now}`,
      column ? { target: varchar(target, 500) } : {},
    );
    return row?.UnderWay ?? 0;
  }

  /** Makes due what another system (or a lost race) left waiting without a due time. */
  async adopt(): Promise<number> {
    return this.inSmallBatches(async (tx) => (await tx.query(this.sql.adopt)).length);
  }

  /** Deletes rows that were delivered longer ago than the given age. */
  async purge(olderThanSeconds: number): Promise<number> {
    if (!this.lane.purges) return 0;
    return this.inSmallBatches((tx) => tx.execute(this.sql.purge, { minusSeconds: -olderThanSeconds }));
  }

  /** Each batch in a transaction of its own, until one is not full. */
  private async inSmallBatches(work: (tx: Tx) => Promise<number>): Promise<number> {
    for (let total = 0; ;) {
      const changed = await this.uow.run(work);
      total += changed;
      if (changed < SMALL_BATCH) return total;
    }
  }

  /** Unfinished rows by status; rows that gave up are `dead`, rows behind another of their key `parked`. */
  depth(): Promise<LaneDepth[]> {
    const { lane } = this;
    return this.uow.read(async (tx) => {
      const rows = await tx.query<{ Status: string; Depth: number; Oldest: unknown; Now: unknown }>(
        `SELECT x.Status AS Status, COUNT(*) AS Depth, MIN(x.CreatedAt) AS Oldest, MAX(x.Now) AS Now FROM ` +
          `(SELECT ${this.sql.state} AS Status, t.CreatedAt AS CreatedAt, ${tx.dialect.now} AS Now ` +
          `FROM ${tx.dialect.table(lane.table)} AS t ${tx.dialect.monitoringRead} ` +
          `WHERE ${this.sql.mine('t')}t.${lane.columns.status} <> '${lane.states.done}') AS x GROUP BY x.Status`,
      );
      return rows.map(({ Status, Depth, Oldest, Now }) => ({
        status: Status,
        count: Depth,
        oldestSeconds: ((asDate(Now)?.getTime() ?? 0) - (asDate(Oldest)?.getTime() ?? 0)) / 1000,
      }));
    });
  }

  /** How many rows are on their way to each target. */
  async waiting(tx: Tx): Promise<{ readonly target: string; readonly count: number }[]> {
    const { table, target } = this.lane;
    if (!target) return [];
    const rows = await tx.query<{ Target: string; Waiting: number }>(
      `SELECT t.${target} AS Target, COUNT(*) AS Waiting FROM ${tx.dialect.table(table)} AS t ${tx.dialect.monitoringRead} ` +
        `WHERE ${this.sql.live} GROUP BY t.${target}`,
    );
    return rows.map(({ Target, Waiting }) => ({ target: Target, count: Waiting }));
  }

  private toMessage(row: SqlRow, leaseOwner: string): LaneMessage {
    const { lane } = this;
    const text = (column: string | null) => (column ? ((row[column] as string | null) ?? null) : null);
    const id = String(row.Id);
    return {
      id,
      lane: lane.name,
      // Not the one that was asked for: SQL Server compares without regard to case.
      target: text(lane.target) ?? '',
      attempt: Number(row[lane.columns.attemptCount]),
      suspect: text(lane.columns.lastError)?.startsWith(ABANDONED_AGAIN) ?? false,
      leaseOwner,
      messageKey: text(lane.messageKey) ?? `${lane.name}:${id}`,
      orderKey: text(lane.orderKey),
      traceParent: text('TraceParent'),
      // Most deliveries never ask.
      get createdAt() {
        return asDate(row.CreatedAt) ?? new Date(0);
      },
      row,
    };
  }
}

/**
 * Batches that name no row twice. A worker that lost a row and took it again settles both claims; the statement says
 * which rows it found, not under which of the claims.
 */
function* eachRowOnce(settlements: readonly Settlement[]): Generator<readonly Settlement[]> {
  for (let left = settlements; left.length > 0;) {
    const byId = new Map<string, Settlement>();
    const again: Settlement[] = [];
    for (const settlement of left) {
      if (byId.has(settlement.message.id)) again.push(settlement);
      else byId.set(settlement.message.id, settlement);
    }
    yield [...byId.values()];
    left = again;
  }
}

/** Ids are whole numbers without leading zeros: the longer one is the larger. */
function byId(a: LaneMessage, b: LaneMessage): number {
  return a.id.length - b.id.length || (a.id < b.id ? -1 : 1);
}

/** NVARCHAR(2000), cut between characters. It may quote a partner, who may have sent anything. */
function clip(text: string): string {
  return text.slice(0, 2000).replaceAll('\0', '').toWellFormed();
}
