import { describe, expect, it } from '@jest/globals';
import { type LedgerEntry } from './gateway.ts';
import { type Change } from './history.ts';
import { broken, type Evidence, judge, type Judgement } from './judge.ts';
import { ACKS, RETURNS, TICKETS } from './machines.ts';

const BASIC = { businessEntity: 'TCK', businessDocId: 'a', phaseCode: 15 };
const WEIGHED = { ...BASIC, phaseCode: 6 };

const BEGIN = Date.parse('2026-05-04T12:00:00.000Z');

type Entry = Omit<LedgerEntry, 'sequence' | 'time'>;

/** One every second. */
const entries = (...given: Entry[]): LedgerEntry[] =>
  given.map((entry, n) => ({
    sequence: n + 1,
    time: new Date(BEGIN + n * 1000).toISOString(),
    ...entry,
  }));

const accepted = (kind: string, about: typeof BASIC): Entry => ({
  kind,
  ...about,
  decision: 'accepted',
  idempotencyKey: `${kind}:${about.phaseCode}`,
  bodyDigest: `digest ${about.phaseCode}`,
});

const called = (about: typeof BASIC, status: string): Entry => ({
  kind: 'callback',
  ...about,
  decision: 'delivered',
  callback: { status },
});

const LEDGER = [
  accepted('ack', BASIC),
  accepted('ack', WEIGHED),
  accepted('return', BASIC),
  accepted('ticket', BASIC),
  called(BASIC, 'Success'),
  called(BASIC, 'Received'),
  accepted('ticket', WEIGHED),
  accepted('return', WEIGHED),
  called(WEIGHED, 'Received'),
  called(WEIGHED, 'Error'),
];

const done = {
  Status: 'Processed',
  ReturnStatus: 'Sent',
  GatewaySendStatus: 'Sent',
  CallbackStatus: 'Success',
};
const TICKET_ROWS = [
  { id: '1', ticket: 'TCK/a/6', ...done, CallbackStatus: 'Error' },
  { id: '2', ticket: 'TCK/a/15', ...done },
];
const OUTBOX_ROWS = [
  { id: '8', ticket: 'TCK/a/15', Status: 'Sent' },
  { id: '9', ticket: 'TCK/a/6', Status: 'Sent' },
];
const RECEIPTS = [
  { ticket: 'TCK/a/6', id: '1', digest: 'digest 6', answeredAt: BEGIN },
  { ticket: 'TCK/a/15', id: '2', digest: 'digest 15', answeredAt: BEGIN },
  { ticket: 'TCK/a/15', id: '2', digest: 'digest 15', answeredAt: BEGIN },
];

/** The changes of one status, from state to state. */
const path = (table: string, column: string, rowId: string, ...states: string[]): Change[] =>
  states.slice(1).map((after, n) => ({ table, column, rowId, before: states[n] ?? '', after }));

const sent = (table: string, column: string, rowId: string) =>
  path(table, column, rowId, 'Pending', 'Sending', 'Sent');

const HISTORY = [
  ...path(TICKETS, 'Status', '1', 'Awaiting', 'Processing', 'Processed'),
  ...path(
    TICKETS,
    'Status',
    '2',
    'Awaiting',
    'Processing',
    'Awaiting',
    'Processing',
    'Processing',
    'Processed',
  ),
  ...path(TICKETS, 'CallbackStatus', '1', 'Pending', 'Received', 'Error'),
  ...path(TICKETS, 'CallbackStatus', '2', 'Pending', 'Success'),
  ...['1', '2'].flatMap((id) => [
    ...sent(TICKETS, 'ReturnStatus', id),
    ...path(TICKETS, 'GatewaySendStatus', id, 'Pending', 'Sending', 'Error', 'Sending', 'Sent'),
  ]),
  ...['8', '9'].flatMap((id) => [...sent(RETURNS, 'Status', id), ...sent(ACKS, 'Status', id)]),
];

const evidence = (changes: Partial<Evidence>): Evidence => ({
  receipts: RECEIPTS,
  tickets: TICKET_ROWS,
  returns: OUTBOX_ROWS,
  acks: OUTBOX_ROWS,
  ledger: entries(...LEDGER),
  settleLimitSeconds: 60,
  history: HISTORY,
  ...changes,
});

const without = (kind: string, phaseCode: number) =>
  entries(...LEDGER.filter((entry) => entry.kind !== kind || entry.phaseCode !== phaseCode));
const tickets = (changes: object) => TICKET_ROWS.map((row, n) => (n === 0 ? { ...row, ...changes } : row));
const outbox = (Status: string) => OUTBOX_ROWS.map((row, n) => (n === 0 ? { ...row, Status } : row));
const swapped = (kind: string) =>
  entries(...LEDGER.filter((entry) => entry.kind !== kind), accepted(kind, WEIGHED), accepted(kind, BASIC));
const refusal = (kind: string, decision: string, reason: string) =>
  entries(...LEDGER, { kind, ...BASIC, decision, reason });

/** The promises that are broken, with what is said of each. */
function brokenPromises(changes: Partial<Evidence>): Partial<Record<keyof Judgement, readonly string[]>> {
  const judgement = judge(evidence(changes));
  expect(broken(judgement)).toBe(true);
  const promises = Object.entries(judgement) as [keyof Judgement, readonly string[]][];
  return Object.fromEntries(promises.filter(([, cases]) => cases.length > 0));
}

describe('the judge', () => {
  it('finds nothing wrong when everything came once, in order, and ended', () => {
    const judgement = judge(evidence({}));
    expect(Object.values(judgement).flat()).toEqual([]);
    expect(broken(judgement)).toBe(false);
  });

  it('allows faults, and repeats the gateway knew by their key', () => {
    const repeat = { ...accepted('ticket', BASIC), decision: 'duplicate' };
    const fault = { ...accepted('return', BASIC), decision: 'fault', fault: 'reset' };
    expect(broken(judge(evidence({ ledger: entries(fault, ...LEDGER, repeat) })))).toBe(false);
  });

  it('says nothing of what only a history could tell, without one', () => {
    const judgement = judge(evidence({ history: undefined }));
    expect(judgement).toMatchObject({ backwards: null, gaps: null });
    expect(broken(judgement)).toBe(false);
  });

  it.each<[string, Partial<Evidence>, string]>([
    [
      'a row after it was accepted',
      { receipts: [...RECEIPTS, { ticket: 'TCK/a/6', id: '3', digest: 'digest 6', answeredAt: BEGIN }] },
      'TCK/a/6 was accepted as 3 and has no such row',
    ],
    ['a ticket at the gateway', { ledger: without('ticket', 6) }, 'ticket of TCK/a/6 never came'],
    ['a return at the gateway', { ledger: without('return', 6) }, 'return of TCK/a/6 never came'],
    ['an ACK at the gateway', { ledger: without('ack', 15) }, 'ack of TCK/a/15 never came'],
    ['processing', { tickets: tickets({ Status: 'Error' }) }, 'TCK/a/6: Status is Error'],
    [
      'the end of a send',
      { tickets: tickets({ GatewaySendStatus: 'Sending' }) },
      'GatewaySendStatus is Sending',
    ],
    ['the end of a return', { returns: outbox('Error') }, 'TCK/a/15: its outbox row is Error'],
    ['the end of an ACK', { acks: outbox('Pending') }, 'TCK/a/15: its outbox row is Pending'],
    [
      'a callback',
      { tickets: tickets({ CallbackStatus: 'Received' }) },
      'TCK/a/6 was called back with Error and says Received',
    ],
    [
      'the outcome a callback told',
      { tickets: tickets({ CallbackStatus: 'Success' }) },
      'TCK/a/6 was called back with Error and says Success',
    ],
    [
      'the callback itself',
      { ledger: without('callback', 15) },
      'TCK/a/15 was called back with nothing and says Success',
    ],
  ])('misses %s', (_, changes, line) => {
    expect(brokenPromises(changes).lost).toEqual(expect.arrayContaining([expect.stringContaining(line)]));
  });

  it.each<[string, Partial<Evidence>, string]>([
    [
      'a ticket accepted under another key',
      { ledger: entries(...LEDGER, { ...accepted('ticket', BASIC), idempotencyKey: 'other' }) },
      'TCK/a/15 ticket accepted twice',
    ],
    [
      'a return accepted again',
      { ledger: entries(...LEDGER, accepted('return', WEIGHED)) },
      'TCK/a/6 return',
    ],
    ['an ACK accepted again', { ledger: entries(...LEDGER, accepted('ack', WEIGHED)) }, 'TCK/a/6 ack'],
    [
      'two ids for one ticket',
      { receipts: [...RECEIPTS, { ticket: 'TCK/a/6', id: '3', digest: '', answeredAt: BEGIN }] },
      'two ids',
    ],
    ['two rows of a ticket', { tickets: [...TICKET_ROWS, ...TICKET_ROWS] }, 'two ticket rows'],
    ['two rows of a return', { returns: [...OUTBOX_ROWS, ...OUTBOX_ROWS] }, 'two return rows'],
    ['two rows of an ACK', { acks: [...OUTBOX_ROWS, ...OUTBOX_ROWS] }, 'two ACK rows'],
  ])('finds %s', (_, changes, line) => {
    expect(brokenPromises(changes).duplicates).toEqual(
      expect.arrayContaining([expect.stringContaining(line)]),
    );
  });

  it.each([
    [TICKETS, 'Status', 'Processed', 'Processing', 'Processed'],
    [TICKETS, 'Status', 'Awaiting', 'Processed'],
    [TICKETS, 'ReturnStatus', 'Sent', 'Sending', 'Sent'],
    [TICKETS, 'GatewaySendStatus', 'Sent', 'Pending', 'Sending', 'Sent'],
    [TICKETS, 'CallbackStatus', 'Error', 'Received', 'Error'],
    [TICKETS, 'CallbackStatus', 'Error', 'Error'],
  ])('sees %s.%s go from %s to %s', (table, column, ...states) => {
    const history = [...HISTORY, ...path(table, column, '1', ...states)];
    const line = `${table}.${column} 1 went from ${states[0] ?? ''} to ${states[1] ?? ''}`;
    expect(brokenPromises({ history })).toEqual({ backwards: [line] });
  });

  it.each([RETURNS, ACKS])('sees %s.Status leave its end', (table) => {
    const history = [...HISTORY, ...path(table, 'Status', '9', 'Sent', 'Error', 'Sending', 'Sent')];
    expect(brokenPromises({ history })).toEqual({
      backwards: [`${table}.Status 9 went from Sent to Error`],
    });
  });

  it('does not believe a history that does not lead to what is there', () => {
    const history = HISTORY.filter(({ table }) => table !== ACKS);
    expect(brokenPromises({ history }).gaps).toEqual([
      `${ACKS}.Status 8 is Sent, its history ends with Pending`,
      `${ACKS}.Status 9 is Sent, its history ends with Pending`,
    ]);
  });

  it('sees a ticket that says something else of its return than the outbox', () => {
    const line = 'TCK/a/15: ReturnStatus is Sent, its return Error';
    expect(brokenPromises({ returns: outbox('Error') }).disagreeing).toEqual([line]);
  });

  it.each(['ticket', 'return'])('sees a %s of phase 6 that was accepted before phase 15', (kind) => {
    expect(brokenPromises({ ledger: swapped(kind) })).toEqual({
      reordered: [`${kind} of TCK/a/6 came before that of phase 15`],
    });
  });

  it('sees an ACK that was accepted before the one in front of it', () => {
    expect(brokenPromises({ ledger: swapped('ack') })).toEqual({
      reordered: ['ack of TCK/a/6 came before that of TCK/a/15'],
    });
  });

  it('sees tickets that took minutes to settle', () => {
    const receipts = RECEIPTS.map((receipt) => ({ ...receipt, answeredAt: BEGIN - 120_000 }));
    expect(brokenPromises({ receipts })).toEqual({
      slow: ['TCK/a/15 took 123 s to settle', 'TCK/a/6 took 127 s to settle'],
    });
  });

  it('sees a ticket that was not sent as it was received', () => {
    const receipts = RECEIPTS.map((receipt) => ({ ...receipt, digest: 'digest 6' }));
    expect(brokenPromises({ receipts })).toEqual({
      altered: ['TCK/a/15 reached the gateway as something else'],
    });
  });

  it.each([
    ['ticket', 'refused', 'bad-signature', 'badSignatures'],
    ['return', 'refused', 'phase-15-missing', 'refused'],
    ['callback', 'given-up', 'answered-404', 'refused'],
  ])('counts a %s that was %s for %s', (kind, decision, reason, promise) => {
    expect(brokenPromises({ ledger: refusal(kind, decision, reason) })).toEqual({
      [promise]: [`${kind} of TCK/a/15 was refused: ${reason}`],
    });
  });
});
