export { FunctionalAckOutboxEntity } from './functional-ack-outbox.entity.ts';
export { DEVELOPMENT_GATEWAY_URL, GatewayAddresses, gatewayProblems } from './gateway-addresses.ts';
export { gatewaySecretProblems, GatewaySecrets } from './gateway-secrets.ts';
export { BASIC_PHASE, contentProblem, PHASES, WEIGHED_PHASE } from './ticket-content.ts';
export {
  documentOrderKey,
  ticketAckKey,
  type TicketKey,
  ticketReturnKey,
  ticketSendKey,
} from './ticket-keys.ts';
export {
  functionalAck,
  gatewaySend,
  makeDue,
  TICKET_LANES,
  ticketProcessing,
  ticketReturn,
} from './ticket-lanes.ts';
export { TICKET_ENTITIES } from './ticket-entities.ts';
export { TicketInterfaceEntity } from './ticket-interface.entity.ts';
export { TicketReturnOutboxEntity } from './ticket-return-outbox.entity.ts';
export {
  CALLBACK_STATUSES,
  type CallbackStatus,
  GATEWAY_SEND_STATUSES,
  type GatewaySendStatus,
  inStates,
  RETURN_STATUSES,
  type ReturnStatus,
  TICKET_STATUSES,
  type TicketStatus,
} from './ticket-status.ts';
export { CALLBACK_TRANSITIONS, TICKET_TRANSITIONS } from './ticket-transitions.ts';
export { areConsistent, isWeight, MAX_WEIGHT, type Weights } from './weights.ts';
