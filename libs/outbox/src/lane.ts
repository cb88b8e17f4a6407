import { type Dialect, type SqlRow, type Tx } from '@malote/persistence';

/** Where a lane keeps its state; a second lane on one table has its own prefixed set. */
export interface LaneColumns {
  readonly status: string;
  readonly attemptCount: string;
  readonly lastError: string;
  readonly lastAttemptAt: string;
  readonly sentAt: string;
  readonly nextAttemptAt: string;
  readonly leaseOwner: string;
  /** Where the table says when a row last changed, if it does. */
  readonly updatedAt: string | null;
}

/** A lane names a table whose rows wait for work, and its status columns. */
export interface Lane {
  readonly name: string;
  readonly table: string;
  readonly columns: LaneColumns;
  readonly states: {
    readonly waiting: string;
    readonly working: string;
    readonly done: string;
    readonly failed: string;
  };
  /** Column that names the target; rows of one target are claimed apart from all others. Null: work of our own. */
  readonly target: string | null;
  readonly messageKey: string | null;
  readonly orderKey: string | null;
  /** More columns the handler wants to see. */
  readonly payload: readonly string[];
  /** When lanes share a table: which of its rows are this lane's, as a condition on the given alias. */
  readonly filter: ((alias: string) => string) | null;
  /**
   * When a waiting row without a due time may become due, as a condition on the given alias; its reads carry the given hint.
   * Null: when it is the first unfinished one of its order key.
   */
  readonly ready: ((alias: string, dialect: Dialect, hint: string) => string) | null;
  /** Copies the state of rows to where others look for it; in every transaction that changes it. */
  readonly mirror: ((tx: Tx, ids: readonly string[]) => Promise<void>) | null;
  /** Whether delivered rows are deleted after a while; false where the row is more than a message. */
  readonly purges: boolean;
}

export interface OutboxLaneOptions {
  readonly name: string;
  readonly table: string;
  readonly payload?: readonly string[];
  readonly filter?: (alias: string) => string;
  readonly mirror?: (tx: Tx, ids: readonly string[]) => Promise<void>;
}

/** A lane over a table with the columns of `OutboxEntity`. */
export function outboxLane({ name, table, payload = [], filter, mirror }: OutboxLaneOptions): Lane {
  return {
    name,
    table,
    columns: {
      status: 'Status',
      attemptCount: 'AttemptCount',
      lastError: 'LastError',
      lastAttemptAt: 'LastAttemptAt',
      sentAt: 'SentAt',
      nextAttemptAt: 'NextAttemptAt',
      leaseOwner: 'LeaseOwner',
      updatedAt: null,
    },
    states: { waiting: 'Pending', working: 'Sending', done: 'Sent', failed: 'Error' },
    target: 'TargetUrl',
    messageKey: 'MessageKey',
    orderKey: 'OrderKey',
    payload: ['PayloadJson', ...payload],
    filter: filter ?? null,
    ready: null,
    mirror: mirror ?? null,
    purges: true,
  };
}

/** A claimed row on its way through a worker. */
export interface LaneMessage {
  readonly id: string;
  readonly lane: string;
  readonly target: string;
  /** Counted at the claim, so that a crash counts too. */
  readonly attempt: number;
  /** Two workers in a row vanished while holding it: it may be what ended them, and is tried alone. */
  readonly suspect: boolean;
  readonly leaseOwner: string;
  readonly messageKey: string;
  readonly orderKey: string | null;
  readonly traceParent: string | null;
  readonly createdAt: Date;
  readonly row: SqlRow;
}
