import { BASIC_PHASE, WEIGHED_PHASE } from '@malote/tickets';
import {
  type AckRow,
  type DocumentRows,
  gaveUp,
  isDiscarded,
  isDone,
  isSameEntity,
  isSameTicket,
  originOf,
  type Progress,
  type ReturnRow,
  type TicketRow,
  wasSent,
} from './document-rows.ts';

export const MISSING_CODES = [
  'phase-15-missing',
  'phase-6-missing',
  'ticket-waits-for-phase-15',
  'ticket-not-processed',
  'ticket-gave-up',
  'ack-not-enqueued',
  'ack-not-sent',
  'ack-gave-up',
  'return-not-enqueued',
  'return-not-sent',
  'return-gave-up',
  'gateway-not-sent',
  'gateway-gave-up',
  'callback-missing',
  'callback-unfinished',
  'callback-error',
  'lane-paused',
  'target-paused',
  'target-down',
  'target-asks-for-patience',
] as const;
export type MissingCode = (typeof MISSING_CODES)[number];

/** Something one would expect of a document and that is not there. */
export interface Missing {
  readonly code: MissingCode;
  readonly businessEntity?: string;
  readonly phaseCode?: number;
  readonly message: string;
}

export interface Expectations {
  readonly now: Date;
  /** Work that is younger than this is on its way, not missing. */
  readonly patienceMs: number;
  /** How long the outboxes keep what was delivered. */
  readonly keptMs: number;
}

const MINUTE_MS = 60_000;

export function missingOf(rows: DocumentRows, expectations: Expectations): Missing[] {
  const { tickets, acks, returns } = rows;
  return [
    ...missingPhases(tickets),
    ...tickets.flatMap((ticket) => [
      ...missingProcessing(ticket, tickets, expectations),
      ...missingAck(ticket, tickets, acks, expectations),
      ...missingReturn(ticket, returns, expectations),
      ...missingGatewaySend(ticket, tickets, expectations),
      ...missingCallback(ticket, expectations),
    ]),
    ...acks.flatMap((ack) => missingAckDelivery(ack, tickets, expectations)),
    ...returns.flatMap((row) => missingReturnDelivery(row, expectations)),
  ];
}

function missingPhases(tickets: readonly TicketRow[]): Missing[] {
  return tickets.flatMap((ticket): Missing[] => {
    const { businessEntity, phaseCode, processing } = ticket;
    if (phaseCode === WEIGHED_PHASE && !phaseOf(ticket, tickets, BASIC_PHASE)) {
      const message = isDone(processing)
        ? 'Phase 15 never arrived.'
        : 'Phase 15 never arrived; phase 6 waits for it.';
      return [{ code: 'phase-15-missing', businessEntity, phaseCode: BASIC_PHASE, message }];
    }
    if (phaseCode === BASIC_PHASE && isDone(processing) && !phaseOf(ticket, tickets, WEIGHED_PHASE)) {
      const message = 'Phase 15 is processed; phase 6 never arrived.';
      return [{ code: 'phase-6-missing', businessEntity, phaseCode: WEIGHED_PHASE, message }];
    }
    return [];
  });
}

function missingProcessing(
  ticket: TicketRow,
  tickets: readonly TicketRow[],
  expectations: Expectations,
): Missing[] {
  const { phaseCode, processing, updatedAt } = ticket;
  const { status, lastError, lastAttemptAt } = processing;
  if (isDone(processing) || isDiscarded(processing)) return [];
  if (gaveUp(processing)) {
    return [about(ticket, 'ticket-gave-up', `Processing phase ${phaseCode} gave up: ${reason(lastError)}`)];
  }
  if (phaseCode === WEIGHED_PHASE && status === 'Awaiting') {
    const basic = phaseOf(ticket, tickets, BASIC_PHASE);
    if (!basic) return [];
    if (!isDone(basic.processing)) {
      if (overdueMinutes(updatedAt, expectations) === undefined) return [];
      const message = `Phase 6 waits until phase 15 is processed${thoughDiscarded(basic.processing)}.`;
      return [about(ticket, 'ticket-waits-for-phase-15', message)];
    }
  }
  const since = status === 'Awaiting' ? updatedAt : status === 'Error' ? ticket.createdAt : lastAttemptAt;
  const minutes = overdueMinutes(since ?? updatedAt, expectations);
  if (minutes === undefined) return [];
  const message = `Phase ${phaseCode} is still ${status} after ${minutes} minutes${because(lastError)}`;
  return [about(ticket, 'ticket-not-processed', message)];
}

function missingAck(
  ticket: TicketRow,
  tickets: readonly TicketRow[],
  acks: readonly AckRow[],
  expectations: Expectations,
): Missing[] {
  if (!ticket.functionalAckIsRequired || overdueMinutes(ticket.createdAt, expectations) === undefined)
    return [];
  if (expectations.now.getTime() - ticket.createdAt.getTime() > expectations.keptMs) return [];
  // One that somebody posted says nothing of a phase, and may be the one for this.
  const isThere = acks.some((ack) => (originOf(ack, tickets)?.ticket ?? ticket) === ticket);
  if (isThere) return [];
  const message = `Phase ${ticket.phaseCode} asks for a functional ACK, and none was enqueued.`;
  return [about(ticket, 'ack-not-enqueued', message)];
}

function missingReturn(
  ticket: TicketRow,
  returns: readonly ReturnRow[],
  expectations: Expectations,
): Missing[] {
  const { phaseCode, processing, returnStatus, updatedAt } = ticket;
  if (!isDone(processing) || returnStatus === 'Sent') return [];
  if (overdueMinutes(processing.doneAt ?? updatedAt, expectations) === undefined) return [];
  if (returns.some((row) => isSameTicket(row, ticket))) return [];
  return [
    about(ticket, 'return-not-enqueued', `Phase ${phaseCode} is processed, and no return was enqueued.`),
  ];
}

function missingGatewaySend(
  ticket: TicketRow,
  tickets: readonly TicketRow[],
  expectations: Expectations,
): Missing[] {
  const { phaseCode, processing, gatewaySend, updatedAt } = ticket;
  if (!isDone(processing) || wasSent(ticket) || isDiscarded(gatewaySend)) return [];
  if (gaveUp(gatewaySend)) {
    const message = `Sending phase ${phaseCode} to the gateway gave up: ${reason(gatewaySend.lastError)}`;
    return [about(ticket, 'gateway-gave-up', message)];
  }
  const minutes = overdueMinutes(processing.doneAt ?? updatedAt, expectations);
  if (minutes === undefined) return [];
  const basic = phaseCode === WEIGHED_PHASE ? phaseOf(ticket, tickets, BASIC_PHASE) : undefined;
  const why =
    basic && !wasSent(basic)
      ? `; phase 15 has to be sent first${thoughDiscarded(basic.gatewaySend)}.`
      : because(gatewaySend.lastError);
  const message = `Phase ${phaseCode} was not sent to the gateway ${minutes} minutes after it was processed${why}`;
  return [about(ticket, 'gateway-not-sent', message)];
}

function missingCallback(ticket: TicketRow, expectations: Expectations): Missing[] {
  const { phaseCode, gatewaySend, callback, updatedAt } = ticket;
  if (callback.status === 'Error') {
    const said = [callback.code, callback.message].filter((part) => part !== null).join(', ');
    return [
      about(ticket, 'callback-error', `The gateway refused phase ${phaseCode}: ${reason(said || null)}`),
    ];
  }
  if (callback.status === 'Received') {
    const minutes = overdueMinutes(callback.receivedAt ?? updatedAt, expectations);
    if (minutes === undefined) return [];
    const message = `The gateway received phase ${phaseCode} and has not said more for ${minutes} minutes.`;
    return [about(ticket, 'callback-unfinished', message)];
  }
  if (callback.status === 'Success' || !isDone(gatewaySend)) return [];
  const minutes = overdueMinutes(gatewaySend.doneAt ?? updatedAt, expectations);
  if (minutes === undefined) return [];
  const message = `The gateway has not called back ${minutes} minutes after phase ${phaseCode} was sent.`;
  return [about(ticket, 'callback-missing', message)];
}

function missingAckDelivery(
  ack: AckRow,
  tickets: readonly TicketRow[],
  expectations: Expectations,
): Missing[] {
  const ticket = originOf(ack, tickets)?.ticket;
  const subject = ticket ? `the functional ACK of phase ${ticket.phaseCode}` : 'a functional ACK';
  const problem = deliveryProblem(ack.sending, ack.createdAt, subject, expectations);
  if (!problem) return [];
  const code = gaveUp(ack.sending) ? 'ack-gave-up' : 'ack-not-sent';
  return [ticket ? about(ticket, code, problem) : { code, message: problem }];
}

function missingReturnDelivery(row: ReturnRow, expectations: Expectations): Missing[] {
  const problem = deliveryProblem(
    row.sending,
    row.createdAt,
    `the return of phase ${row.phaseCode}`,
    expectations,
  );
  return problem ? [about(row, gaveUp(row.sending) ? 'return-gave-up' : 'return-not-sent', problem)] : [];
}

function deliveryProblem(
  sending: Progress,
  createdAt: Date,
  subject: string,
  expectations: Expectations,
): string | undefined {
  if (isDone(sending) || isDiscarded(sending)) return undefined;
  if (gaveUp(sending)) return `Sending ${subject} gave up: ${reason(sending.lastError)}`;
  const minutes = overdueMinutes(createdAt, expectations);
  if (minutes === undefined) return undefined;
  const isParked = sending.status === 'Pending' && sending.nextAttemptAt === null;
  const why = isParked
    ? '; an earlier message of its document has to be sent first.'
    : because(sending.lastError);
  return `Sending ${subject} has not succeeded for ${minutes} minutes${why}`;
}

function phaseOf(ticket: TicketRow, tickets: readonly TicketRow[], phase: number): TicketRow | undefined {
  return tickets.find((other) => other.phaseCode === phase && isSameEntity(other, ticket));
}

function about(
  { businessEntity, phaseCode }: { businessEntity: string; phaseCode: number },
  code: MissingCode,
  message: string,
): Missing {
  return { code, businessEntity, phaseCode, message };
}

/** Undefined while it is too early to miss it. */
function overdueMinutes(since: Date, { now, patienceMs }: Expectations): number | undefined {
  const ms = now.getTime() - since.getTime();
  return ms > patienceMs ? Math.floor(ms / MINUTE_MS) : undefined;
}

function thoughDiscarded(progress: Progress): string {
  return isDiscarded(progress) ? ', and that was discarded' : '';
}

function because(lastError: string | null): string {
  return lastError === null ? '.' : `: ${lastError}`;
}

function reason(lastError: string | null): string {
  return lastError ?? 'no reason given';
}
