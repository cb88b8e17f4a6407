import {
  type Dialect,
  type Inserted,
  type SqlExpressions,
  type SqlParameters,
  type Tx,
  varchar,
} from '@malote/persistence';
import { type Lane } from './lane.ts';
import { laneSql } from './lane-sql.ts';

export interface OutboxMessage {
  readonly messageKey: string;
  readonly targetUrl: string;
  readonly payload: string;
  readonly orderKey?: string | undefined;
  readonly traceParent?: string | undefined;
  /** Business columns of the table. */
  readonly columns?: SqlParameters;
}

export type OrderedMessage = OutboxMessage & { readonly orderKey: string };

/** The writing side of lanes: a message is enqueued in the transaction of whatever caused it. */
export class Outbox {
  private readonly wakers = new Set<() => void>();

  /** A worker of this process that wants to hear of new rows. */
  onDue(wake: () => void): void {
    this.wakers.add(wake);
  }

  /** To enqueue a key twice is to enqueue it once: the second call returns the first row. */
  async enqueue(tx: Tx, lane: Lane, message: OutboxMessage): Promise<Inserted> {
    // Numbers must follow commit order within a key.
    if (message.orderKey !== undefined)
      await tx.dialect.lock(tx, `${lane.table}:${message.orderKey}`.slice(0, 255));
    const row = rowOf(message);
    const due = dueTime(tx.dialect, lane, message.orderKey === undefined ? null : '@OrderKey');
    const result = await tx.dialect.insertOnce(tx, lane.table, row, 'MessageKey', due);
    this.wakeAfter(tx);
    return result;
  }

  /** Many at once, in few statements; each has an order key of its own, under which nobody else enqueues meanwhile. */
  async enqueueAll(tx: Tx, lane: Lane, messages: readonly OrderedMessage[]): Promise<void> {
    await tx.dialect.insertAllOnce(tx, lane.table, messages.map(rowOf), 'MessageKey', (column) =>
      dueTime(tx.dialect, lane, column('OrderKey')),
    );
    this.wakeAfter(tx);
  }

  /** Tells the workers of this process, once it is true, that rows have become due. */
  wakeAfter(tx: Tx): void {
    tx.afterCommit(() => {
      for (const wake of this.wakers) wake();
    });
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
    TraceParent: varchar(traceParent ?? null, 55),
  };
}

function dueTime(dialect: Dialect, lane: Lane, orderKey: string | null): SqlExpressions {
  return { [lane.columns.nextAttemptAt]: laneSql(lane, dialect).dueAtEnqueue(orderKey) };
}
