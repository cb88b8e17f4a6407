import { AppError } from '@malote/app-error';
import {
  type Dialect,
  type Inserted,
  type SqlExpressions,
  type SqlParameters,
  type Tx,
  type UnitOfWork,
  varchar,
} from '@malote/persistence';
import { ActionLog, type Operator } from './action-log.ts';
import { SMALL_BATCH } from './lane-sql.ts';
import { LaneStore } from './lane-store.ts';
import { type Lane } from './lane.ts';
import { rowConditions, type RowFilter } from './row-filter.ts';
import { TargetStore } from './target-store.ts';

export interface OutboxMessage {
  readonly messageKey: string;
  readonly targetUrl: string;
  readonly payload: string;
  readonly orderKey?: string | undefined;
  readonly traceParent?: string | undefined;
  /** Business columns of the table. */
  readonly columns?: SqlParameters;
}

export type { Operator };
export type ReplayFilter = RowFilter;

export type OrderedMessage = OutboxMessage & { readonly orderKey: string };

/** The writing side of lanes: enqueue in the caller's transaction, and what operators may do. */
export class Outbox {
  private readonly targets: TargetStore;
  private readonly actions = new ActionLog();
  private readonly wakers = new Map<string, () => void>();

  constructor(private readonly uow: UnitOfWork) {
    this.targets = new TargetStore(uow);
  }

  /** A worker of this process that wants to hear of new rows. */
  onEnqueued(lane: string, wake: () => void): void {
    this.wakers.set(lane, wake);
  }

  /** To enqueue a key twice is to enqueue it once: the second call returns the first row. */
  async enqueue(tx: Tx, lane: Lane, message: OutboxMessage): Promise<Inserted> {
    // Numbers must follow commit order within a key.
    if (message.orderKey !== undefined)
      await tx.dialect.lock(tx, `${lane.table}:${message.orderKey}`.slice(0, 255));
    const row = rowOf(message);
    const due = dueTime(tx.dialect, lane, message.orderKey === undefined ? null : '@OrderKey');
    const result = await tx.dialect.insertOnce(tx, lane.table, row, 'MessageKey', due);
    this.madeDue(tx, lane);
    return result;
  }

  /** Many at once, in few statements; each has an order key of its own, under which nobody else enqueues meanwhile. */
  async enqueueAll(tx: Tx, lane: Lane, messages: readonly OrderedMessage[]): Promise<void> {
    await tx.dialect.insertAllOnce(tx, lane.table, messages.map(rowOf), 'MessageKey', (column) =>
      dueTime(tx.dialect, lane, column('OrderKey')),
    );
    this.madeDue(tx, lane);
  }

  /** Tells a worker of this process, once it is true, that rows of the lane have become due. */
  madeDue(tx: Tx, lane: Lane): void {
    tx.afterCommit(() => this.wakers.get(lane.name)?.());
  }

  /** How many dead rows a replay would put back. */
  previewReplay(lane: Lane, filter: ReplayFilter): Promise<number> {
    return this.uow.read(async (tx) => {
      const { where, parameters } = this.deadRows(lane, filter);
      const [row] = await tx.query<{ Matching: number }>(
        `SELECT COUNT(*) AS Matching FROM ${tx.dialect.table(lane.table)} AS t WHERE ${where}`,
        parameters,
      );
      return row?.Matching ?? 0;
    });
  }

  /**
   * Puts dead rows back with fresh attempts; each batch commits together with the record of who did it, why and to which rows.
   * With `expected`, nothing happens unless so many match. What dies meanwhile is not among them.
   */
  async replay(lane: Lane, filter: ReplayFilter, operator: Operator, expected?: number): Promise<number> {
    const ids = await this.deadIds(lane, filter);
    if (expected !== undefined && expected !== ids.length) {
      const message = `${expected} rows of ${lane.name} were expected, and ${ids.length} match`;
      throw new AppError('conflict', 'not-as-expected', message, {
        details: { expected, matching: ids.length },
      });
    }
    let replayed = 0;
    for (let from = 0; from < ids.length; from += SMALL_BATCH) {
      const batch = { ...filter, ids: ids.slice(from, from + SMALL_BATCH) };
      replayed += await this.uow.run((tx) => this.replayBatch(tx, lane, batch, operator));
    }
    return replayed;
  }

  private async replayBatch(
    tx: Tx,
    lane: Lane,
    batch: ReplayFilter & { readonly ids: readonly string[] },
    operator: Operator,
  ): Promise<number> {
    const { where, parameters } = this.deadRows(lane, batch);
    const { sql } = new LaneStore(lane, this.uow);
    const c = lane.columns;
    const rows = await tx.query<{ Id: unknown }>(
      tx.dialect.claim({
        table: lane.table,
        set:
          `${c.status} = '${lane.states.waiting}', ${c.attemptCount} = 0, ${c.leaseOwner} = NULL, ` +
          `${c.nextAttemptAt} = CASE WHEN ${sql.ready('t', tx.dialect.committedRead)} THEN ${tx.dialect.now} ELSE NULL END${sql.touch}`,
        where,
        orderBy: 't.Id',
        limit: 'limit',
        returning: ['Id'],
      }),
      { ...parameters, limit: SMALL_BATCH },
    );
    if (rows.length === 0) return 0;
    const changed = new Set(rows.map(({ Id }) => String(Id)));
    const ids = batch.ids.filter((id) => changed.has(id));
    await lane.mirror?.(tx, ids);
    await this.actions.record(tx, lane.name, 'replay', operator, { ...batch, ids }, ids.length);
    this.madeDue(tx, lane);
    return ids.length;
  }

  private deadIds(lane: Lane, filter: ReplayFilter): Promise<string[]> {
    return this.uow.read(async (tx) => {
      const { where, parameters } = this.deadRows(lane, filter);
      const rows = await tx.query<{ Id: unknown }>(
        `SELECT t.Id AS Id FROM ${tx.dialect.table(lane.table)} AS t WHERE ${where} ORDER BY t.Id`,
        parameters,
      );
      return rows.map(({ Id }) => String(Id));
    });
  }

  /** Takes a dead row out of its order, so that the rows behind it can go on without it. */
  release(lane: Lane, id: string, operator: Operator): Promise<void> {
    const { orderKey } = lane;
    if (!orderKey)
      throw new AppError('invalid', 'lane-has-no-order', `${lane.name} delivers in no particular order`);
    const store = new LaneStore(lane, this.uow);
    return this.uow.run(async (tx) => {
      const [row] = await tx.query<{ OrderKey: string | null }>(
        `SELECT t.${orderKey} AS OrderKey FROM ${tx.dialect.table(lane.table)} AS t ${tx.dialect.lockedRead} WHERE t.Id = @id AND ${store.sql.dead}`,
        { id },
      );
      if (!row?.OrderKey)
        throw new AppError('conflict', 'not-a-dead-ordered-row', `Row ${id} of ${lane.name} blocks nobody`);
      await tx.execute(`UPDATE ${tx.dialect.table(lane.table)} SET ${orderKey} = NULL WHERE Id = @id`, {
        id,
      });
      await store.promote(tx, [row.OrderKey]);
      await this.actions.record(tx, lane.name, 'release', operator, { ids: [id] }, 1);
      this.madeDue(tx, lane);
    });
  }

  /** `name` is a target group (an origin) or `lane:<lane>`. */
  pause(name: string, operator: Operator): Promise<void> {
    return this.uow.run(async (tx) => {
      await this.targets.setPaused(tx, name, operator);
      await this.actions.record(tx, name.slice(0, 100), 'pause', operator, { target: name }, 1);
    });
  }

  resume(name: string, operator: Operator): Promise<void> {
    return this.uow.run(async (tx) => {
      await this.targets.setPaused(tx, name, null);
      await this.actions.record(tx, name.slice(0, 100), 'resume', operator, { target: name }, 1);
      tx.afterCommit(() => {
        for (const wake of this.wakers.values()) wake();
      });
    });
  }

  private deadRows(lane: Lane, filter: ReplayFilter): { where: string; parameters: SqlParameters } {
    const { and, parameters } = rowConditions(lane, this.uow.dialect, filter);
    return { where: `${new LaneStore(lane, this.uow).sql.dead}${and}`, parameters };
  }
}

function rowOf({
  messageKey,
  targetUrl,
  payload,
  orderKey,
  traceParent,
  columns,
}: OutboxMessage): SqlParameters {
  return {
    ...columns,
    PayloadJson: payload,
    TargetUrl: varchar(targetUrl, 500),
    MessageKey: varchar(messageKey, 200),
    ...(orderKey !== undefined && { OrderKey: varchar(orderKey, 200) }),
    TraceParent: traceParent === undefined ? null : varchar(traceParent, 55),
  };
}

/** Only the first unfinished row of an order key is due. */
function dueTime(dialect: Dialect, lane: Lane, orderKey: string | null): SqlExpressions {
  const { columns: c, states, filter } = lane;
  if (orderKey === null) return { [c.nextAttemptAt]: dialect.now };
  const unfinished =
    `SELECT 1 FROM ${dialect.table(lane.table)} AS w ${dialect.lockedRead} WHERE ${filter ? `${filter('w')} AND ` : ''}` +
    `w.OrderKey = ${orderKey} AND w.${c.status} <> '${states.done}'`;
  return { [c.nextAttemptAt]: `CASE WHEN EXISTS (${unfinished}) THEN NULL ELSE ${dialect.now} END` };
}
