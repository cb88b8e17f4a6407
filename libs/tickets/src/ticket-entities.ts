import { FunctionalAckOutboxEntity } from './functional-ack-outbox.entity.ts';
import { TicketInterfaceEntity } from './ticket-interface.entity.ts';
import { TicketReturnOutboxEntity } from './ticket-return-outbox.entity.ts';

/** The tables of tickets. */
export const TICKET_ENTITIES = [
  TicketInterfaceEntity,
  FunctionalAckOutboxEntity,
  TicketReturnOutboxEntity,
] as const;
