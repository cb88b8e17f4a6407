import { type RecordedAction } from '@malote/lanes';
import { type CallbackStatus, TICKET_LANES, ticketAckKey, type TicketStatus } from '@malote/tickets';

const DONE = statesOf('done');
const WORKING = statesOf('working');
const FAILED = statesOf('failed');

/** How far one kind of work on a row has come. */
export interface Progress {
  readonly status: string;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly lastAttemptAt: Date | null;
  readonly doneAt: Date | null;
  readonly nextAttemptAt: Date | null;
  readonly discardedAt: Date | null;
}

export interface TicketRow {
  readonly id: string;
  readonly businessEntity: string;
  readonly businessDocId: string;
  readonly phaseCode: number;
  readonly targetApplicationCode: string;
  readonly functionalAckIsRequired: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly processing: Progress & { readonly status: TicketStatus };
  readonly gatewaySend: Progress;
  readonly returnStatus: string;
  readonly returnSentAt: Date | null;
  readonly callback: {
    readonly status: CallbackStatus;
    readonly receivedAt: Date | null;
    readonly code: string | null;
    readonly message: string | null;
  };
}

export interface AckRow {
  readonly id: string;
  readonly messageKey: string | null;
  readonly orderKey: string | null;
  readonly targetUrl: string;
  readonly createdAt: Date;
  readonly sending: Progress;
}

export interface ReturnRow {
  readonly id: string;
  readonly businessEntity: string;
  readonly phaseCode: number;
  readonly targetUrl: string;
  readonly createdAt: Date;
  readonly sending: Progress;
}

export interface CounterpartyRow {
  readonly id: string;
  readonly businessEntity: string | null;
  readonly status: string;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
}

/** All rows that speak of one document. */
export interface DocumentRows {
  readonly tickets: readonly TicketRow[];
  readonly acks: readonly AckRow[];
  readonly returns: readonly ReturnRow[];
  readonly counterparties: readonly CounterpartyRow[];
  readonly actions: readonly RecordedAction[];
}

export function isDone({ status }: Progress): boolean {
  return DONE.has(status);
}

export function isUnderWay({ status }: Progress): boolean {
  return WORKING.has(status);
}

/** It waits for a person to bring it back or discard it. */
export function gaveUp(progress: Progress): boolean {
  return hasFailedForGood(progress) && progress.discardedAt === null;
}

/** A person decided that it is not to be done any more. */
export function isDiscarded(progress: Progress): boolean {
  return hasFailedForGood(progress) && progress.discardedAt !== null;
}

/** Nothing becomes of it any more by itself. */
export function isOver(progress: Progress): boolean {
  return isDone(progress) || hasFailedForGood(progress);
}

function hasFailedForGood({ status, nextAttemptAt }: Progress): boolean {
  return FAILED.has(status) && nextAttemptAt === null;
}

function statesOf(role: 'done' | 'working' | 'failed'): ReadonlySet<string> {
  return new Set(TICKET_LANES.map(({ states }) => states[role]));
}

/** What the gateway has called back about was sent, whoever did it. */
export function wasSent({ gatewaySend, callback }: TicketRow): boolean {
  return isDone(gatewaySend) || callback.status !== 'Pending';
}

export interface AckOrigin {
  readonly ticket: TicketRow;
  /** It answers content the ticket was corrected to. */
  readonly isCorrection: boolean;
}

/** The ticket an ACK was made for; its key is the only thing that tells. Undefined: somebody posted it. */
export function originOf({ messageKey }: AckRow, tickets: readonly TicketRow[]): AckOrigin | undefined {
  for (const ticket of tickets) {
    const key = ticketAckKey(ticket);
    if (messageKey === key) return { ticket, isCorrection: false };
    if (messageKey?.startsWith(`${key}:`)) return { ticket, isCorrection: true };
  }
  return undefined;
}

type TicketPhase = Pick<TicketRow, 'businessEntity' | 'phaseCode'>;

export function isSameTicket(one: TicketPhase, other: TicketPhase): boolean {
  return one.phaseCode === other.phaseCode && isSameEntity(one, other);
}

export function isSameEntity(
  one: Pick<TicketRow, 'businessEntity'>,
  other: Pick<TicketRow, 'businessEntity'>,
): boolean {
  return one.businessEntity.toLowerCase() === other.businessEntity.toLowerCase();
}
