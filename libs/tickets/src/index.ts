export { FunctionalAckOutboxEntity } from './functional-ack-outbox.entity.ts';
export { TicketInterfaceEntity } from './ticket-interface.entity.ts';
export { TicketReturnOutboxEntity } from './ticket-return-outbox.entity.ts';
export {
  CALLBACK_STATUSES,
  type CallbackStatus,
  GATEWAY_SEND_STATUSES,
  type GatewaySendStatus,
  RETURN_STATUSES,
  type ReturnStatus,
  TICKET_STATUSES,
  type TicketStatus,
} from './ticket-status.ts';
