import { type LedgerEntry } from './gateway.ts';
import { type Receipt } from './partner.ts';
import { basicNameOf, nameOf } from './ticket.ts';

/**
 * How many seconds each ticket took, from the answer to its post, or to that of the phase its document begins with, to the last the
 * gateway heard of it or told of it.
 */
export function settleSeconds(
  receipts: readonly Receipt[],
  ledger: readonly LedgerEntry[],
): ReadonlyMap<string, number> {
  const answeredAt = new Map<string, number>();
  for (const { ticket, answeredAt: at } of receipts)
    answeredAt.set(ticket, Math.min(at, answeredAt.get(ticket) ?? Infinity));
  const seconds = new Map<string, number>();
  for (const entry of ledger) {
    const endedAt = endOf(entry);
    if (endedAt === undefined) continue;
    const { businessEntity = '', businessDocId = '', phaseCode = 0 } = entry;
    const name = { businessEntity, businessDocId, phaseCode };
    const ticket = nameOf(name);
    const begunAt = Math.max(answeredAt.get(ticket) ?? 0, answeredAt.get(basicNameOf(name)) ?? 0);
    seconds.set(ticket, Math.max((endedAt - begunAt) / 1000, seconds.get(ticket) ?? 0));
  }
  return seconds;
}

/** One line for each ticket that took longer than any may. */
export function slowTickets(
  receipts: readonly Receipt[],
  ledger: readonly LedgerEntry[],
  limitSeconds: number,
): string[] {
  return [...settleSeconds(receipts, ledger)]
    .filter(([, seconds]) => seconds > limitSeconds)
    .map(([ticket, seconds]) => `${ticket} took ${Math.round(seconds)} s to settle`);
}

/** When a delivery was accepted, or a callback was; undefined for what failed or is to come. */
function endOf({ decision, time, callback }: LedgerEntry): number | undefined {
  if (decision === 'accepted') return Date.parse(time);
  if (decision === 'delivered' && callback?.settledAt !== undefined) return Date.parse(callback.settledAt);
  return undefined;
}
