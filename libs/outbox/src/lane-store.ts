import { asDate, type SqlRow, type Tx, type UnitOfWork, varchar } from '@malote/persistence';
import { ABANDONED, LaneSql, PURGE_BATCH, type Settlement } from './lane-sql.ts';
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
    return rows.map((row) => this.toMessage(row, target, owner)).sort(byId);
  }

  /** Fenced: returns the ids whose lease was still ours; the others belong to somebody else by now. */
  async settle(tx: Tx, settlements: readonly Settlement[]): Promise<Set<string>> {
    const rows = settlements.map(({ message, verdict, delayMs, error }) => ({
      Id: message.id,
      Owner: message.leaseOwner,
      Verdict: verdict,
      DelayMs: Math.round(delayMs),
      Error: error === null ? null : clip(error),
    }));
    const held = await tx.query<{ Id: unknown }>(this.sql.settle, { rows: JSON.stringify(rows) });
    const settled = new Set(held.map(({ Id }) => String(Id)));
    const finishedKeys = settlements.flatMap(({ message, verdict }) =>
      verdict === 'done' && message.orderKey !== null && settled.has(message.id) ? [message.orderKey] : [],
    );
    await this.promote(tx, finishedKeys);
    return settled;
  }

  async promote(tx: Tx, orderKeys: readonly string[]): Promise<void> {
    if (orderKeys.length === 0) return;
    const keys = JSON.stringify(orderKeys.map((OrderKey) => ({ OrderKey })));
    await tx.query(this.sql.promote, { keys });
  }

  async renew(tx: Tx, messages: readonly LaneMessage[], leaseMs: number): Promise<Set<string>> {
    const rows = JSON.stringify(messages.map(({ id, leaseOwner }) => ({ Id: id, Owner: leaseOwner })));
    const held = await tx.query<{ Id: unknown }>(this.sql.renew, { rows, leaseMs });
    return new Set(held.map(({ Id }) => String(Id)));
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
  adopt(): Promise<number> {
    if (!this.lane.adoptsForgottenRows) return Promise.resolve(0);
    return this.uow.run(async (tx) => (await tx.query(this.sql.adopt)).length);
  }

  /** Deletes rows that were delivered longer ago than the given age, in transactions of their own. */
  async purge(olderThanMs: number): Promise<number> {
    for (let total = 0; ;) {
      const deleted = await this.uow.run((tx) => tx.execute(this.sql.purge, { minusMs: -olderThanMs }));
      total += deleted;
      if (deleted < PURGE_BATCH) return total;
    }
  }

  /** Unfinished rows by status; rows that gave up are `dead`, rows behind another of their key `parked`. */
  depth(): Promise<LaneDepth[]> {
    const { lane } = this;
    const { columns: c, states, filter } = lane;
    const status =
      `CASE WHEN t.${c.nextAttemptAt} IS NOT NULL THEN t.${c.status} ` +
      `WHEN t.${c.status} = '${states.failed}' THEN 'dead' ELSE 'parked' END`;
    return this.uow.read(async (tx) => {
      const rows = await tx.query<{ Status: string; Depth: number; Oldest: unknown; Now: unknown }>(
        `SELECT x.Status AS Status, COUNT(*) AS Depth, MIN(x.CreatedAt) AS Oldest, MAX(x.Now) AS Now FROM ` +
          `(SELECT ${status} AS Status, t.CreatedAt AS CreatedAt, ${tx.dialect.now} AS Now ` +
          `FROM ${tx.dialect.table(lane.table)} AS t ${tx.dialect.monitoringRead} ` +
          `WHERE ${filter ? `${filter} AND ` : ''}t.${c.status} <> '${states.done}') AS x GROUP BY x.Status`,
      );
      return rows.map(({ Status, Depth, Oldest, Now }) => ({
        status: Status,
        count: Depth,
        oldestSeconds: ((asDate(Now)?.getTime() ?? 0) - (asDate(Oldest)?.getTime() ?? 0)) / 1000,
      }));
    });
  }

  private toMessage(row: SqlRow, target: string, leaseOwner: string): LaneMessage {
    const { lane } = this;
    const text = (column: string | null) => (column ? ((row[column] as string | null) ?? null) : null);
    const id = String(row.Id);
    return {
      id,
      lane: lane.name,
      target,
      attempt: Number(row[lane.columns.attemptCount]),
      abandoned: text(lane.columns.lastError)?.startsWith(ABANDONED) ?? false,
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

/** Ids are whole numbers without leading zeros: the longer one is the larger. */
function byId(a: LaneMessage, b: LaneMessage): number {
  return a.id.length - b.id.length || (a.id < b.id ? -1 : 1);
}

/** NVARCHAR(2000), cut between characters. */
function clip(text: string): string {
  if (text.length <= 2000) return text;
  return text.slice(0, 2000).replace(/[\uD800-\uDBFF]$/, '');
}
