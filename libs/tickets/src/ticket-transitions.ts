import { type TransitionTable } from '@malote/state-machine';
import { type CallbackStatus, type TicketStatus } from './ticket-status.ts';

/**
 * What may happen to a ticket. `claim` out of a working state takes over from a worker whose lease ran out; `refund` puts back
 * what could not be tried; `correct` is new content from the partner; `replay` a person who brings back what had given up, `discard`
 * one who says that it stays so.
 */
export const TICKET_TRANSITIONS = {
  Awaiting: { claim: 'Processing', correct: 'Awaiting' },
  Processing: { claim: 'Processing', succeed: 'Processed', fail: 'Error', refund: 'Awaiting' },
  Error: { claim: 'Processing', correct: 'Awaiting', replay: 'Awaiting', discard: 'Error' },
  Processed: {},
} as const satisfies TransitionTable & Record<TicketStatus, object>;

/** What the gateway may tell us; `Received` may be late or lost, and what has an end keeps it. */
export const CALLBACK_TRANSITIONS = {
  Pending: { Received: 'Received', Success: 'Success', Error: 'Error' },
  Received: { Success: 'Success', Error: 'Error' },
  Success: {},
  Error: {},
} as const satisfies TransitionTable & Record<CallbackStatus, object>;
