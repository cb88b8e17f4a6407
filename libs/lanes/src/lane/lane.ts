import { type Dialect, type SqlRow, type Tx } from '@malote/persistence';
import { type TransitionTable } from '@malote/state-machine';
import { getMetadataArgsStorage } from 'typeorm';
import { DELIVERY_TRANSITIONS, laneStates, type LaneStates } from './lane-states.ts';
import { AskableOutboxEntity, type OutboxEntity } from './outbox.entity.ts';

/** Where a lane keeps its state; a second lane on one table has its own prefixed set. */
export interface LaneColumns {
  readonly status: string;
  readonly attemptCount: string;
  readonly abandonCount: string;
  readonly lastError: string;
  readonly lastAttemptAt: string;
  readonly sentAt: string;
  readonly nextAttemptAt: string;
  readonly leaseOwner: string;
  readonly discardedAt: string;
  /** Where the table says when a row last changed, if it does. */
  readonly updatedAt: string | null;
}

/** Where an askable lane remembers that its target may have a message. */
export interface DoubtColumns {
  readonly inDoubtSince: string;
  readonly absentSince: string;
  readonly askCount: string;
}

/** With `skipsLocked` it passes over what somebody keeps locked: a claim waits for nobody, and what settles it writes the state again. */
export type Mirror = (tx: Tx, ids: readonly string[], skipsLocked?: true) => Promise<void>;

/** A lane names a table whose rows wait for work, and its status columns. */
export interface Lane {
  readonly name: string;
  readonly table: string;
  readonly columns: LaneColumns;
  readonly states: LaneStates;
  /**
   * Set where a message must never reach its target twice: the claim itself writes down that bytes may leave, and from then on
   * the target is asked, until it is certain what it has.
   */
  readonly doubt: DoubtColumns | null;
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
  /** Which rows without a due time can ever get one, as a condition on the given alias. Null: all of them. */
  readonly canBecomeDue: ((alias: string) => string) | null;
  /** Copies the state of rows to where others look for it; in every transaction that changes it. */
  readonly mirror: Mirror | null;
  /** Whether delivered rows are deleted after a while; false where the row is more than a message. */
  readonly purges: boolean;
}

type OptionalParts =
  'doubt' | 'target' | 'messageKey' | 'orderKey' | 'filter' | 'ready' | 'canBecomeDue' | 'mirror';

/** A lane as it is declared: what most lanes do without may be left out. */
export interface LaneDeclaration
  extends Omit<Lane, 'states' | OptionalParts>, Partial<Pick<Lane, OptionalParts>> {
  readonly transitions: TransitionTable;
  /** The state rows begin in. */
  readonly waiting: string;
}

/** Throws when the transitions do not fit: a service with such a lane does not start. */
export function defineLane({ transitions, waiting, ...lane }: LaneDeclaration): Lane {
  return {
    doubt: null,
    target: null,
    messageKey: null,
    orderKey: null,
    filter: null,
    ready: null,
    canBecomeDue: null,
    mirror: null,
    ...lane,
    states: laneStates(lane.name, transitions, waiting),
  };
}

export interface OutboxLaneOptions {
  readonly name: string;
  /** One that extends `AskableOutboxEntity` makes the lane askable. */
  readonly entity: abstract new () => OutboxEntity;
  readonly payload?: readonly string[];
  readonly filter?: (alias: string) => string;
  readonly mirror?: Mirror;
}

/** A lane over the table of an `OutboxEntity`. */
export function outboxLane({ entity, payload = [], ...options }: OutboxLaneOptions): Lane {
  const isAskable = entity.prototype instanceof AskableOutboxEntity;
  return defineLane({
    table: tableOf(entity),
    columns: {
      status: 'Status',
      attemptCount: 'AttemptCount',
      abandonCount: 'AbandonCount',
      lastError: 'LastError',
      lastAttemptAt: 'LastAttemptAt',
      sentAt: 'SentAt',
      nextAttemptAt: 'NextAttemptAt',
      leaseOwner: 'LeaseOwner',
      discardedAt: 'DiscardedAt',
      updatedAt: null,
    },
    doubt: isAskable
      ? { inDoubtSince: 'InDoubtSince', absentSince: 'AbsentSince', askCount: 'AskCount' }
      : null,
    transitions: DELIVERY_TRANSITIONS,
    waiting: 'Pending',
    target: 'TargetUrl',
    messageKey: 'MessageKey',
    orderKey: 'OrderKey',
    payload: ['PayloadJson', ...payload],
    purges: true,
    ...options,
  });
}

function tableOf(entity: OutboxLaneOptions['entity']): string {
  const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity);
  if (!table?.name) throw new Error(`${entity.name} is not decorated with @OutboxTable`);
  return table.name;
}

/** A claimed row on its way through a worker. */
export interface LaneMessage {
  readonly id: string;
  readonly lane: string;
  readonly target: string;
  /** Deliveries begun, this one included; one that its worker did not end goes on under the same number. */
  readonly attempt: number;
  /** Workers in a row that vanished while they held it. */
  readonly abandonments: number;
  readonly leaseOwner: string;
  readonly messageKey: string;
  readonly orderKey: string | null;
  readonly traceParent: string | null;
  readonly createdAt: Date;
  /** Questions asked about it, this claim's included; 0: this claim is to deliver it. */
  readonly asks: number;
  /** For how long its target has been saying that it does not have it, as far as the row knew at this claim. */
  readonly absentForMs: number;
  readonly row: SqlRow;
}
