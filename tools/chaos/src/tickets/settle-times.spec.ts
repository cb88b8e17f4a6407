import { expect, it } from '@jest/globals';
import { type LedgerEntry } from './gateway.ts';
import { settleSeconds, slowTickets } from './settle-times.ts';

const BEGIN = Date.parse('2026-05-04T12:00:00.000Z');
const after = (seconds: number) => new Date(BEGIN + seconds * 1000).toISOString();

const receipt = (ticket: string, seconds: number) => ({
  ticket,
  id: '1',
  digest: '',
  answeredAt: BEGIN + seconds * 1000,
});

const entry = (seconds: number, phaseCode: number, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  sequence: 1,
  time: after(seconds),
  kind: 'ticket',
  decision: 'accepted',
  businessEntity: 'TCK',
  businessDocId: 'a',
  phaseCode,
  ...more,
});

const calledBack = (seconds: number): Partial<LedgerEntry> => ({
  kind: 'callback',
  decision: 'delivered',
  callback: { status: 'Success', settledAt: after(seconds) },
});

it('counts from the first answer to a post to the last that came of the ticket', () => {
  const receipts = [receipt('TCK/a/15', 1), receipt('TCK/a/15', 5)];
  const ledger = [entry(2, 15), entry(4, 15, { kind: 'return' }), entry(3, 15, calledBack(7))];
  expect([...settleSeconds(receipts, ledger)]).toEqual([['TCK/a/15', 6]]);
});

it('does not hold against phase 6 that phase 15 came late', () => {
  const receipts = [receipt('TCK/a/6', 0), receipt('TCK/a/15', 30)];
  expect(settleSeconds(receipts, [entry(31, 15), entry(32, 6)]).get('TCK/a/6')).toBe(2);
});

it('counts nothing that failed, or that the gateway knew before', () => {
  const ledger = [
    entry(2, 15),
    entry(50, 15, { decision: 'duplicate' }),
    entry(60, 15, { decision: 'fault' }),
  ];
  expect(settleSeconds([receipt('TCK/a/15', 0)], ledger).get('TCK/a/15')).toBe(2);
});

it('names a ticket that took longer than any may', () => {
  const receipts = [receipt('TCK/a/15', 0)];
  expect(slowTickets(receipts, [entry(60, 15)], 60)).toEqual([]);
  expect(slowTickets(receipts, [entry(63, 15)], 60)).toEqual(['TCK/a/15 took 63 s to settle']);
});
