import { messageKey } from '@malote/idempotency';

export interface TicketKey {
  readonly businessEntity: string;
  readonly businessDocId: string;
  readonly phaseCode: number;
}

/** What is said about one document is said in order. */
export function documentOrderKey({ businessEntity, businessDocId }: Omit<TicketKey, 'phaseCode'>): string {
  return messageKey('document', businessEntity.toLowerCase(), businessDocId.toLowerCase());
}

export function ticketSendKey(key: TicketKey): string {
  return keyOf('ticket', key);
}

export function ticketReturnKey(key: TicketKey): string {
  return keyOf('ticket-return', key);
}

/** One for the ticket as it first came, and one for each correction. ACKs that partners post have keys of another kind. */
export function ticketAckKey(key: TicketKey, correction?: string): string {
  return keyOf('ticket-ack', key, ...(correction === undefined ? [] : [correction]));
}

/** Lower case, since `TCK` and `tck` are one ticket: whoever writes it, there is one key. */
function keyOf(
  kind: string,
  { businessEntity, businessDocId, phaseCode }: TicketKey,
  ...more: string[]
): string {
  return messageKey(kind, businessEntity.toLowerCase(), businessDocId.toLowerCase(), phaseCode, ...more);
}
