import { DELIVERY_TRANSITIONS } from '@malote/lanes';
import { type TransitionTable } from '@malote/state-machine';
import { CALLBACK_TRANSITIONS, TICKET_TRANSITIONS } from '@malote/tickets';

export const TICKETS = 'TB_TICKET_INTERFACE';
export const RETURNS = 'TB_TICKET_RETURN_OUTBOX';
export const ACKS = 'TB_FUNCTIONAL_ACK_OUTBOX';

/** A column that says where something stands, and what may happen to it. */
export interface Machine {
  readonly table: string;
  readonly column: string;
  readonly transitions: TransitionTable;
  readonly initial: string;
}

export const MACHINES: readonly Machine[] = [
  { table: TICKETS, column: 'Status', transitions: TICKET_TRANSITIONS, initial: 'Awaiting' },
  { table: TICKETS, column: 'ReturnStatus', transitions: DELIVERY_TRANSITIONS, initial: 'Pending' },
  { table: TICKETS, column: 'GatewaySendStatus', transitions: DELIVERY_TRANSITIONS, initial: 'Pending' },
  { table: TICKETS, column: 'CallbackStatus', transitions: CALLBACK_TRANSITIONS, initial: 'Pending' },
  { table: RETURNS, column: 'Status', transitions: DELIVERY_TRANSITIONS, initial: 'Pending' },
  { table: ACKS, column: 'Status', transitions: DELIVERY_TRANSITIONS, initial: 'Pending' },
];
