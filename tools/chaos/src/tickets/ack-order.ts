import { type LedgerEntry } from './gateway.ts';
import { type OutboxState } from './rows.ts';
import { nameOf } from './ticket.ts';

/** The gateway accepts the functional ACKs of a document in the order of their rows; one line for each that came too early. */
export function reorderedAcks(acks: readonly OutboxState[], ledger: readonly LedgerEntry[]): string[] {
  const waiting = new Map<string, string[]>();
  for (const { ticket } of acks.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)))) {
    const document = documentOf(ticket);
    waiting.set(document, [...(waiting.get(document) ?? []), ticket]);
  }
  return ledger
    .filter(({ kind, decision }) => kind === 'ack' && decision === 'accepted')
    .flatMap(({ businessEntity = '', businessDocId = '', phaseCode = 0 }) => {
      const ticket = nameOf({ businessEntity, businessDocId, phaseCode });
      const queue = waiting.get(documentOf(ticket)) ?? [];
      const place = queue.indexOf(ticket);
      // Acceptances that are one too many are duplicates, which are counted elsewhere.
      if (place < 0) return [];
      queue.splice(place, 1);
      return queue.slice(0, place).map((earlier) => `ack of ${ticket} came before that of ${earlier}`);
    });
}

function documentOf(ticket: string): string {
  return ticket.slice(0, ticket.lastIndexOf('/'));
}
