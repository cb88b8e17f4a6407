import { ticketAckKey } from '@malote/tickets';
import {
  type AckRow,
  type DocumentRows,
  type Progress,
  type ReturnRow,
  type TicketRow,
} from '../document-rows.ts';

/** Minutes after an arbitrary noon. */
export function at(minutes: number): Date {
  return new Date(Date.parse('2026-07-01T12:00:00Z') + minutes * 60_000);
}

export function progress(more: Partial<Progress> = {}): Progress {
  return {
    status: 'Pending',
    attempts: 0,
    lastError: null,
    lastAttemptAt: null,
    doneAt: null,
    nextAttemptAt: at(0),
    discardedAt: null,
    ...more,
  };
}

export function done(minutes: number, attempts = 1): Progress {
  return progress({
    status: 'Sent',
    attempts,
    lastAttemptAt: at(minutes),
    doneAt: at(minutes),
    nextAttemptAt: null,
  });
}

export function dead(minutes: number, lastError = 'HTTP 422'): Progress {
  return progress({
    status: 'Error',
    attempts: 5,
    lastError,
    lastAttemptAt: at(minutes),
    nextAttemptAt: null,
  });
}

export function discarded(minutes: number, lastError?: string): Progress {
  return { ...dead(minutes, lastError), discardedAt: at(minutes + 1) };
}

export const processed = (minutes: number) => ({ ...done(minutes), status: 'Processed' }) as const;
export const awaiting = { ...progress(), status: 'Awaiting' } as const;
export const processing = (minutes: number, attempts = 1) =>
  ({ ...awaiting, status: 'Processing', attempts, lastAttemptAt: at(minutes) }) as const;

/** A phase 15 that has just arrived. */
export function ticket(more: Partial<TicketRow> = {}): TicketRow {
  return {
    id: '1',
    businessEntity: 'TCK',
    businessDocId: 'Doc-1',
    phaseCode: 15,
    targetApplicationCode: 'ASB',
    functionalAckIsRequired: false,
    createdAt: at(0),
    updatedAt: at(0),
    processing: awaiting,
    gatewaySend: progress({ nextAttemptAt: null }),
    returnStatus: 'Pending',
    returnSentAt: null,
    callback: { status: 'Pending', receivedAt: null, code: null, message: null },
    ...more,
  };
}

/** A phase 6 that has just arrived. */
export function phase6(more: Partial<TicketRow> = {}): TicketRow {
  return ticket({ id: '2', phaseCode: 6, ...more });
}

/** A phase 15 of which nothing is left to do. */
export function finished(more: Partial<TicketRow> = {}): TicketRow {
  return ticket({
    processing: processed(1),
    gatewaySend: done(2),
    returnStatus: 'Sent',
    returnSentAt: at(3),
    callback: { status: 'Success', receivedAt: at(4), code: null, message: null },
    ...more,
  });
}

/** A phase 6 of which nothing is left to do. */
export function weighed(more: Partial<TicketRow> = {}): TicketRow {
  return finished({ id: '2', phaseCode: 6, ...more });
}

export function ack(more: Partial<AckRow> = {}): AckRow {
  return {
    id: '7',
    messageKey: ticketAckKey(ticket()),
    orderKey: null,
    targetUrl: 'https://ack.example/v3',
    createdAt: at(0),
    sending: progress(),
    ...more,
  };
}

export function returned(more: Partial<ReturnRow> = {}): ReturnRow {
  return {
    id: '9',
    businessEntity: 'TCK',
    phaseCode: 15,
    targetUrl: 'https://return.example/v3',
    createdAt: at(1),
    sending: progress(),
    ...more,
  };
}

export function rows(more: Partial<DocumentRows> = {}): DocumentRows {
  return { tickets: [], acks: [], returns: [], counterparties: [], actions: [], ...more };
}
