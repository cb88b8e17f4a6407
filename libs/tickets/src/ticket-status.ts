import { OUTBOX_STATUSES, type OutboxStatus } from '@malote/lanes';

/** Where a ticket stands with us. */
export const TICKET_STATUSES = ['Awaiting', 'Processing', 'Processed', 'Error'] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

/** Where the return of a ticket stands; a copy of what its outbox row says. */
export const RETURN_STATUSES = OUTBOX_STATUSES;
export type ReturnStatus = OutboxStatus;

export const GATEWAY_SEND_STATUSES = OUTBOX_STATUSES;
export type GatewaySendStatus = OutboxStatus;

/** What the gateway has told us about a ticket we sent. */
export const CALLBACK_STATUSES = ['Pending', 'Received', 'Success', 'Error'] as const;
export type CallbackStatus = (typeof CALLBACK_STATUSES)[number];

/** A condition, of a CHECK as well as of a query. */
export function inStates(column: string, states: readonly string[]): string {
  return `${column} IN ('${states.join("', '")}')`;
}
