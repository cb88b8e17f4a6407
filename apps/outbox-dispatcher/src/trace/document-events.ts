import { type ActionName, namesRow, type RecordedAction } from '@malote/lanes';
import { functionalAck, gatewaySend, ticketProcessing, ticketReturn } from '@malote/tickets';
import {
  type AckRow,
  type CounterpartyRow,
  type DocumentRows,
  gaveUp,
  isDiscarded,
  isDone,
  isSameTicket,
  isUnderWay,
  originOf,
  type Progress,
  type ReturnRow,
  type TicketRow,
} from './document-rows.ts';

export const EVENT_KINDS = [
  'counterparty-received',
  'counterparty-updated',
  'ticket-received',
  'ticket-corrected',
  'ticket-processing',
  'ticket-processed',
  'ticket-failed',
  'ack-enqueued',
  'ack-sending',
  'ack-sent',
  'ack-failed',
  'return-enqueued',
  'return-sending',
  'return-sent',
  'return-failed',
  'gateway-sending',
  'gateway-sent',
  'gateway-send-failed',
  'callback-received',
  'replayed',
  'discarded',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export interface DocumentEvent {
  readonly at: Date;
  readonly kind: EventKind;
  readonly businessEntity?: string;
  readonly phaseCode?: number;
  readonly summary: string;
  readonly details: Readonly<Record<string, unknown>>;
}

type About = Pick<DocumentEvent, 'businessEntity' | 'phaseCode'>;

/** What happened to a document, in time order, as far as its rows remember: of many attempts they know the last. */
export function eventsOf(rows: DocumentRows, now: Date): DocumentEvent[] {
  const { tickets, acks, returns, counterparties, actions } = rows;
  return [
    ...counterparties.flatMap(counterpartyEvents),
    ...tickets.flatMap((ticket) => ticketEvents(ticket, returns, now)),
    ...acks.flatMap((ack) => ackEvents(ack, tickets, now)),
    ...returns.flatMap((row) => returnEvents(row, now)),
    ...actions.flatMap((action) => actionEvents(action, rows)),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
}

function counterpartyEvents({
  id,
  businessEntity,
  status,
  createdAt,
  updatedAt,
}: CounterpartyRow): DocumentEvent[] {
  const rest = {
    ...(businessEntity !== null && { businessEntity }),
    details: { counterpartyRowId: id, status },
  };
  const received = {
    at: createdAt,
    kind: 'counterparty-received',
    summary: 'The counterparty arrived.',
    ...rest,
  } as const;
  if (!updatedAt) return [received];
  return [
    received,
    { at: updatedAt, kind: 'counterparty-updated', summary: 'The counterparty was last updated.', ...rest },
  ];
}

function ticketEvents(ticket: TicketRow, returns: readonly ReturnRow[], now: Date): DocumentEvent[] {
  const { id, businessEntity, phaseCode, createdAt, updatedAt, processing, gatewaySend: send } = ticket;
  const about = { businessEntity, phaseCode };
  const phase = `Phase ${phaseCode}`;
  const details = { ticketId: id };
  const work = { about, ids: details, otherwise: updatedAt };
  const hasReturn = returns.some((row) => isSameTicket(row, ticket));
  return [
    { at: createdAt, kind: 'ticket-received', ...about, summary: `${phase} arrived.`, details },
    ...progressEvents(processing, now, {
      ...work,
      kinds: PROCESSING,
      doing: `Processing ${phase.toLowerCase()}`,
    }),
    ...progressEvents(send, now, {
      ...work,
      kinds: GATEWAY,
      doing: `Sending ${phase.toLowerCase()} to the gateway`,
    }),
    ...callbackEvents(ticket, about),
    // The outbox forgets what was delivered long ago; the ticket does not.
    ...(ticket.returnSentAt && !hasReturn
      ? [
          {
            at: ticket.returnSentAt,
            kind: 'return-sent',
            ...about,
            summary: `The return of ${phase.toLowerCase()} was sent.`,
            details,
          } as const,
        ]
      : []),
  ];
}

function callbackEvents({ id, phaseCode, callback, updatedAt }: TicketRow, about: About): DocumentEvent[] {
  const { status, receivedAt, code, message } = callback;
  if (status === 'Pending') return [];
  const said = {
    Received: 'has received it',
    Success: 'has accepted it',
    Error: `refused it: ${[code, message].filter((part) => part !== null).join(', ') || 'no reason given'}`,
  }[status];
  return [
    {
      at: receivedAt ?? updatedAt,
      kind: 'callback-received',
      ...about,
      summary: `The gateway called back about phase ${phaseCode} and says it ${said}.`,
      details: { ticketId: id, callbackStatus: status, code, message },
    },
  ];
}

function ackEvents(ack: AckRow, tickets: readonly TicketRow[], now: Date): DocumentEvent[] {
  const origin = originOf(ack, tickets);
  const about = origin && {
    businessEntity: origin.ticket.businessEntity,
    phaseCode: origin.ticket.phaseCode,
  };
  const subject = origin
    ? `functional ACK of phase ${origin.ticket.phaseCode}`
    : 'functional ACK somebody posted';
  const details = { ackId: ack.id };
  const events: DocumentEvent[] = [
    { at: ack.createdAt, kind: 'ack-enqueued', ...about, summary: `The ${subject} was enqueued.`, details },
    ...progressEvents(ack.sending, now, {
      kinds: ACK,
      doing: `Sending the ${subject}`,
      about: about ?? {},
      ids: details,
      otherwise: ack.createdAt,
    }),
  ];
  if (!origin?.isCorrection) return events;
  const summary = `Phase ${origin.ticket.phaseCode} arrived again with other content.`;
  return [
    {
      at: ack.createdAt,
      kind: 'ticket-corrected',
      ...about,
      summary,
      details: { ticketId: origin.ticket.id },
    },
    ...events,
  ];
}

function returnEvents(
  { id, businessEntity, phaseCode, createdAt, sending }: ReturnRow,
  now: Date,
): DocumentEvent[] {
  const about = { businessEntity, phaseCode };
  const subject = `return of phase ${phaseCode}`;
  const details = { returnId: id };
  return [
    { at: createdAt, kind: 'return-enqueued', ...about, summary: `The ${subject} was enqueued.`, details },
    ...progressEvents(sending, now, {
      kinds: RETURN,
      doing: `Sending the ${subject}`,
      about,
      ids: details,
      otherwise: createdAt,
    }),
  ];
}

interface ProgressKinds {
  readonly underWay: EventKind;
  readonly done: EventKind;
  readonly failed: EventKind;
}

const PROCESSING: ProgressKinds = {
  underWay: 'ticket-processing',
  done: 'ticket-processed',
  failed: 'ticket-failed',
};
const GATEWAY: ProgressKinds = {
  underWay: 'gateway-sending',
  done: 'gateway-sent',
  failed: 'gateway-send-failed',
};
const ACK: ProgressKinds = { underWay: 'ack-sending', done: 'ack-sent', failed: 'ack-failed' };
const RETURN: ProgressKinds = { underWay: 'return-sending', done: 'return-sent', failed: 'return-failed' };

interface Work {
  readonly kinds: ProgressKinds;
  readonly doing: string;
  readonly about: About;
  readonly ids: DocumentEvent['details'];
  /** Rows another system has written may lack the time of a step: then this comes closest. */
  readonly otherwise: Date;
}

/** The latest step of one kind of work. */
function progressEvents(
  progress: Progress,
  now: Date,
  { kinds, doing, about, ids, otherwise }: Work,
): DocumentEvent[] {
  const { attempts, lastError, lastAttemptAt, doneAt, nextAttemptAt, discardedAt } = progress;
  const details = { ...ids, attempts, ...(lastError !== null && { lastError }) };
  if (isDone(progress)) {
    const summary = `${doing} succeeded${attempts > 1 ? ` at attempt ${attempts}` : ''}.`;
    return [{ at: doneAt ?? otherwise, kind: kinds.done, ...about, summary, details }];
  }
  const at = lastAttemptAt ?? otherwise;
  if (isUnderWay(progress)) {
    return [
      { at, kind: kinds.underWay, ...about, summary: `${doing} is under way, attempt ${attempts}.`, details },
    ];
  }
  if (progress.status !== 'Error' && lastError === null) return [];
  const summary = `${doing} failed and ${prospects(progress, now)}: ${lastError ?? 'no reason given'}`;
  return [
    {
      at,
      kind: kinds.failed,
      ...about,
      summary,
      details: {
        ...details,
        gaveUp: gaveUp(progress),
        nextAttemptAt,
        ...(isDiscarded(progress) && { discardedAt }),
      },
    },
  ];
}

function prospects(progress: Progress, now: Date): string {
  if (gaveUp(progress)) return 'gave up';
  if (isDiscarded(progress)) return 'was discarded';
  const { nextAttemptAt } = progress;
  if (!nextAttemptAt) return 'waits';
  return nextAttemptAt > now
    ? `is tried again at ${nextAttemptAt.toISOString()}`
    : 'is due to be tried again';
}

/** What people do to messages; who pauses or resumes names none. */
const DONE_BY_PEOPLE: Readonly<Partial<Record<ActionName, readonly [EventKind, string]>>> = {
  replay: ['replayed', 'put it back to be tried again'],
  discard: ['discarded', 'discarded it'],
  release: ['discarded', 'took it out of its order, so that later ones went on without it'],
};

function actionEvents(action: RecordedAction, { tickets, acks, returns }: DocumentRows): DocumentEvent[] {
  const named = (lane: string, rows: readonly { readonly id: string }[]) =>
    rows.filter(({ id }) => namesRow(action, { lane, id })).map(({ id }) => id);
  const ids = [
    ...named(ticketProcessing.name, tickets),
    ...named(gatewaySend.name, tickets),
    ...named(functionalAck.name, acks),
    ...named(ticketReturn.name, returns),
  ];
  const told = DONE_BY_PEOPLE[action.action];
  if (!told) return [];
  const [kind, done] = told;
  return [
    {
      at: action.at,
      kind,
      summary: `${action.actor} ${done} (${action.lane}): ${action.reason}`,
      details: { actionId: action.id, lane: action.lane, ids, actor: action.actor, reason: action.reason },
    },
  ];
}
