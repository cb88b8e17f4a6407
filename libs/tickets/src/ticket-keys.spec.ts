import { messageKey } from '@malote/idempotency';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  documentOrderKey,
  ticketAckKey,
  type TicketKey,
  ticketReturnKey,
  ticketSendKey,
} from './ticket-keys.ts';

const ticket = { businessEntity: 'TCK', businessDocId: '01-0107-0257-5200004', phaseCode: 15 };

/** What the API takes for a key: printable ASCII, no blanks outside; often such that only a separator sets two apart. */
const anyKey = fc
  .oneof(
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 100 }),
    fc.string({ unit: fc.constantFrom('a', 'A', ':', '~', '%', ' ', '/', '1'), minLength: 1, maxLength: 4 }),
  )
  .map((text) => text.trim())
  .filter((text) => text !== '');
const anyTicket: fc.Arbitrary<TicketKey> = fc.record({
  businessEntity: anyKey,
  businessDocId: anyKey,
  phaseCode: fc.constantFrom(15, 6),
});

const KINDS = [
  ['ticketSendKey', ticketSendKey],
  ['ticketReturnKey', ticketReturnKey],
  ['ticketAckKey', (key: TicketKey) => ticketAckKey(key)],
  ['ticketAckKey of a correction', (key: TicketKey) => ticketAckKey(key, 'c0ffee')],
] as const;

const shout = ({ businessEntity, businessDocId, phaseCode }: TicketKey) => ({
  businessEntity: businessEntity.toUpperCase(),
  businessDocId: businessDocId.toUpperCase(),
  phaseCode,
});
const isSameTicket = (one: TicketKey, other: TicketKey) =>
  JSON.stringify(shout(one)) === JSON.stringify(shout(other));

it('keys never change between releases, because they are stored', () => {
  expect(ticketSendKey(ticket)).toBe('ticket:tck:01-0107-0257-5200004:15');
  expect(ticketReturnKey(ticket)).toBe('ticket-return:tck:01-0107-0257-5200004:15');
  expect(ticketAckKey(ticket)).toBe('ticket-ack:tck:01-0107-0257-5200004:15');
  expect(ticketAckKey(ticket, 'c0ffee')).toBe('ticket-ack:tck:01-0107-0257-5200004:15:c0ffee');
  expect(documentOrderKey(ticket)).toBe('document:tck:01-0107-0257-5200004');
});

describe.each(KINDS)('%s', (_, keyOf) => {
  it('is one key however the ticket is spelled', () => {
    fc.assert(
      fc.property(anyTicket, (key) => {
        expect(keyOf(shout(key))).toBe(keyOf(key));
      }),
    );
  });

  it('differs when the ticket does, even to a database that ignores case', () => {
    fc.assert(
      fc.property(anyTicket, anyTicket, (one, other) => {
        const isSameKey = keyOf(one).toLowerCase() === keyOf(other).toLowerCase();
        expect(isSameKey).toBe(isSameTicket(one, other));
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps the phases apart', () => {
    expect(keyOf({ ...ticket, phaseCode: 6 })).not.toBe(keyOf(ticket));
  });
});

it('messages of different kinds about one ticket never share a key', () => {
  fc.assert(
    fc.property(anyTicket, (key) => {
      const keys = KINDS.map(([, keyOf]) => keyOf(key).toLowerCase());
      expect(new Set(keys).size).toBe(KINDS.length);
    }),
  );
});

it('both phases of a document, in any spelling, are said in one order; other documents in theirs', () => {
  fc.assert(
    fc.property(anyTicket, anyTicket, (one, other) => {
      expect(documentOrderKey(shout(one))).toBe(documentOrderKey(one));
      const isSameDocument = isSameTicket({ ...one, phaseCode: 15 }, { ...other, phaseCode: 15 });
      expect(documentOrderKey(one) === documentOrderKey(other)).toBe(isSameDocument);
    }),
    { numRuns: 1_000 },
  );
});

it('an ACK that a partner posts under a key of its own is never taken for that of a ticket', () => {
  const posted = messageKey('functional-ack', 'key', 'partner-a', '15');
  expect(ticketAckKey({ businessEntity: 'KEY', businessDocId: 'partner-a', phaseCode: 15 })).not.toBe(posted);
});
