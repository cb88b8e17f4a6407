import { asDate, type SqlRow, type Tx, type UnitOfWork, varchar } from '@malote/persistence';
import { laneSql, type LaneSql, SMALL_BATCH } from './lane-sql.ts';
import { type Lane, type LaneMessage } from './lane.ts';
import { type Settlement } from './settlement.ts';

export interface LaneDepth {
  readonly status: string;
  /** Of dead and of parked rows no more than `MAX_COUNTED`. */
  readonly count: number;
  readonly oldestSeconds: number;
}

export interface ClaimRequest {
  /** Empty for a lane without targets. */
  readonly targets: readonly string[];
  readonly owner: string;
  /** Of each target. */
  readonly limit: number;
  readonly leaseMs: number;
}

/** What a renewal has shown, by row id. */
export interface Renewal {
  readonly renewed: ReadonlySet<string>;
  /** Other workers have them by now. */
  readonly taken: ReadonlySet<string>;
}

/** A part of the rows that wait without a due time. */
export interface AdoptedSlice {
  readonly adopted: number;
  /** Where the next slice begins; null: this was the last. */
  readonly next: string | null;
}

/** All that happens to a lane's rows. Times are the database's; ids are strings, they outgrow a double. */
export class LaneStore {
  readonly sql: LaneSql;

  constructor(
    readonly lane: Lane,
    private readonly uow: UnitOfWork,
  ) {
    this.sql = laneSql(lane, uow.dialect);
  }

  async claim(tx: Tx, { targets, owner, limit, leaseMs }: ClaimRequest): Promise<LaneMessage[]> {
    const parameters = { owner: varchar(owner, 100), limit, leaseMs };
    const rows = await tx.query(
      this.sql.claim,
      this.lane.target
        ? { ...parameters, targets: JSON.stringify(targets.map((Name) => ({ Name }))) }
        : parameters,
    );
    const messages = rows.map((row) => this.toMessage(row, owner)).sort(byId);
    await this.mirror(tx, messages, true);
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

  private async mirror(tx: Tx, messages: readonly LaneMessage[], skipsLocked?: true): Promise<void> {
    if (!this.lane.mirror || messages.length === 0) return;
    await this.lane.mirror(tx, [...new Set(messages.map(({ id }) => id))], skipsLocked);
  }

  private async settleRows(tx: Tx, settlements: readonly Settlement[]): Promise<Settlement[]> {
    // Always in the same order: two lanes of one table must not meet head-on.
    const inOrder = settlements.toSorted((a, b) => byId(a.message, b.message));
    const rows = inOrder.map((settlement) => this.rowOf(settlement));
    const held = await tx.query<{ Id: unknown }>(this.sql.settle, { rows: JSON.stringify(rows) });
    const ids = new Set(held.map(({ Id }) => String(Id)));
    return settlements.filter(({ message }) => ids.has(message.id));
  }

  private rowOf({ message, verdict, delayMs, error, isCertain, saysAbsent }: Settlement) {
    const { states } = this.lane;
    const isOver = verdict === 'done' || verdict === 'dead';
    const failed = verdict === 'dead' || verdict === 'retry';
    // To hand back a question is to hand back no attempt.
    const isRefund = verdict === 'refund' || (verdict === 'return' && message.asks === 0);
    return {
      Id: message.id,
      Owner: message.leaseOwner,
      Status: verdict === 'done' ? states.done : failed ? states.failed : states.waiting,
      Refunded: isRefund ? 1 : 0,
      Tried: verdict === 'return' ? 0 : 1,
      Certain: isCertain ? 1 : 0,
      Absent: saysAbsent === undefined ? null : saysAbsent ? 1 : 0,
      // What was handed back has not been asked about.
      Unasked: verdict === 'return' && message.asks > 0 ? 1 : 0,
      DelayMs: isOver ? null : Math.round(delayMs),
      Error: error === null ? null : clip(error),
    };
  }

  /** Makes due the first unfinished row of each key. */
  async promote(tx: Tx, orderKeys: readonly string[]): Promise<void> {
    if (orderKeys.length === 0) return;
    const keys = JSON.stringify([...new Set(orderKeys)].map((OrderKey) => ({ OrderKey })));
    await tx.query(this.sql.promote, { keys });
  }

  /** Rows that are neither renewed nor taken are locked by somebody: whose they are shows later. */
  async renew(tx: Tx, messages: readonly LaneMessage[], leaseMs: number): Promise<Renewal> {
    const renewed = new Set<string>();
    const taken = new Set<string>();
    for (let from = 0; from < messages.length; from += SMALL_BATCH) {
      const part = messages.slice(from, from + SMALL_BATCH);
      const ids = await tx.query<{ Id: unknown }>(this.sql.renew, { rows: ownersJson(part), leaseMs });
      for (const { Id } of ids) renewed.add(String(Id));
      const missing = part.filter(({ id }) => !renewed.has(id));
      if (missing.length === 0) continue;
      for (const { Id } of await tx.query<{ Id: unknown }>(this.sql.taken, { rows: ownersJson(missing) }))
        taken.add(String(Id));
    }
    return { renewed, taken };
  }

  /** Rows of a target some worker is holding, in any replica. */
  async underWay(tx: Tx, target: string): Promise<number> {
    const { table, target: column, columns: c } = this.lane;
    const mine = column ? ` AND t.${column} = @target` : '';
    const [row] = await tx.query<{ UnderWay: number }>(
      `SELECT COUNT(*) AS UnderWay FROM ${tx.dialect.table(table)} AS t WHERE ${this.sql.live('t')}${mine} ` +
        `AND t.${c.leaseOwner} IS NOT NULL AND t.${c.nextAttemptAt} > ${tx.dialect.now}`,
      column ? { target: varchar(target, 500) } : {},
    );
    return row?.UnderWay ?? 0;
  }

  /**
   * Makes due what another system, or a worker that ended too early, left waiting without a due time. A slice at a time: there may
   * be a day's worth that rightly waits, and nobody shall wait for the sweep.
   */
  async adopt(after = '0'): Promise<AdoptedSlice> {
    const rows = await this.uow.read((tx) =>
      tx.query<{ Id: unknown; Ready: unknown }>(this.sql.slice, { after }),
    );
    const ids = rows.map(({ Id }) => String(Id)).sort(compareIds);
    const ready = rows.filter(({ Ready }) => Number(Ready) === 1).map(({ Id }) => ({ Id: String(Id) }));
    const adopted = ready.length === 0 ? 0 : await this.makeDue(ready);
    return { adopted, next: rows.length < SMALL_BATCH ? null : (ids.at(-1) ?? null) };
  }

  private makeDue(ids: readonly { readonly Id: string }[]): Promise<number> {
    return this.uow.run(async (tx) => (await tx.query(this.sql.adopt, { ids: JSON.stringify(ids) })).length);
  }

  /** Deletes rows that were delivered longer ago than the given age, each batch in a transaction of its own. */
  async purge(olderThanSeconds: number): Promise<number> {
    if (!this.lane.purges) return 0;
    for (let total = 0; ;) {
      const deleted = await this.uow.run((tx) =>
        tx.execute(this.sql.purge, { minusSeconds: -olderThanSeconds }),
      );
      total += deleted;
      if (deleted < SMALL_BATCH) return total;
    }
  }

  /** Unfinished rows by status; rows that gave up are `dead`, rows that wait for another one `parked`. */
  depth(): Promise<LaneDepth[]> {
    return this.uow.read(async (tx) => {
      const rows = await tx.query<{ Status: string; Depth: number; Oldest: unknown; Now: unknown }>(
        this.sql.depth,
      );
      return rows.map(({ Status, Depth, Oldest, Now }) => ({
        status: Status,
        count: Depth,
        oldestSeconds: secondsBetween(Oldest, Now),
      }));
    });
  }

  /** How many rows are on their way to each target. */
  async waiting(tx: Tx): Promise<{ readonly target: string; readonly count: number }[]> {
    const { table, target } = this.lane;
    if (!target) return [];
    const rows = await tx.query<{ Target: string; Waiting: number }>(
      `SELECT t.${target} AS Target, COUNT(*) AS Waiting FROM ${tx.dialect.table(table)} AS t ${tx.dialect.monitoringRead} ` +
        `WHERE ${this.sql.live('t')} GROUP BY t.${target}`,
    );
    return rows.map(({ Target, Waiting }) => ({ target: Target, count: Waiting }));
  }

  private toMessage(row: SqlRow, leaseOwner: string): LaneMessage {
    const { lane } = this;
    const { columns: c, doubt } = lane;
    const text = (column: string | null) => (column ? ((row[column] as string | null) ?? null) : null);
    const id = String(row.Id);
    return {
      id,
      lane: lane.name,
      // Not the one that was asked for: SQL Server compares without regard to case.
      target: text(lane.target) ?? '',
      attempt: Number(row[c.attemptCount]),
      abandonments: Number(row[c.abandonCount]),
      leaseOwner,
      messageKey: text(lane.messageKey) ?? `${lane.name}:${id}`,
      orderKey: text(lane.orderKey),
      traceParent: text('TraceParent'),
      asks: doubt ? Number(row[doubt.askCount]) : 0,
      absentForMs: doubt ? secondsBetween(row[doubt.absentSince], row[c.lastAttemptAt]) * 1_000 : 0,
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
    const byRow = new Map<string, Settlement>();
    const again: Settlement[] = [];
    for (const settlement of left) {
      if (byRow.has(settlement.message.id)) again.push(settlement);
      else byRow.set(settlement.message.id, settlement);
    }
    yield [...byRow.values()];
    left = again;
  }
}

function ownersJson(messages: readonly LaneMessage[]): string {
  return JSON.stringify(messages.map(({ id, leaseOwner }) => ({ Id: id, Owner: leaseOwner })));
}

function byId(a: LaneMessage, b: LaneMessage): number {
  return compareIds(a.id, b.id);
}

/** Ids are whole numbers without leading zeros: the longer one is the larger. */
function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

/** Both are times of the database; no time at all is no time ago. */
function secondsBetween(earlier: unknown, later: unknown): number {
  const [from, to] = [asDate(earlier), asDate(later)];
  return from && to ? (to.getTime() - from.getTime()) / 1000 : 0;
}

/** NVARCHAR(2000), cut between characters. It may quote a partner, who may have sent anything. */
function clip(text: string): string {
  return text.slice(0, 2000).replaceAll('\0', '').toWellFormed();
}
