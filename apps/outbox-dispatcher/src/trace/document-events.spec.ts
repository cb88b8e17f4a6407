import { expect, it } from '@jest/globals';
import { ticketAckKey } from '@malote/tickets';
import { eventsOf } from './document-events.ts';
import { type DocumentRows } from './document-rows.ts';
import {
  ack,
  at,
  dead,
  discarded,
  done,
  finished,
  phase6,
  processed,
  processing,
  progress,
  returned,
  rows,
  ticket,
} from './testing/made-up-rows.ts';

const events = (made: Partial<DocumentRows>, minutes = 5) => eventsOf(rows(made), at(minutes));
const kinds = (made: Partial<DocumentRows>) => events(made).map(({ kind }) => kind);

it('tells the story of a document from its arrival to the callback', () => {
  const found = events({
    tickets: [finished({ functionalAckIsRequired: true })],
    acks: [ack({ sending: done(2.5, 2) })],
    returns: [returned({ sending: done(3) })],
  });
  expect(found.map(({ kind, phaseCode }) => [kind, phaseCode])).toEqual([
    ['ticket-received', 15],
    ['ack-enqueued', 15],
    ['ticket-processed', 15],
    ['return-enqueued', 15],
    ['gateway-sent', 15],
    ['ack-sent', 15],
    ['return-sent', 15],
    ['callback-received', 15],
  ]);
  expect(found[5]).toEqual({
    at: at(2.5),
    kind: 'ack-sent',
    businessEntity: 'TCK',
    phaseCode: 15,
    summary: 'Sending the functional ACK of phase 15 succeeded at attempt 2.',
    details: { ackId: '7', attempts: 2 },
  });
});

it('puts the events of both phases in the order of time', () => {
  const found = events({
    tickets: [phase6({ createdAt: at(-5), processing: processed(3) }), ticket({ processing: processed(2) })],
  });
  expect(found.map(({ at: time, phaseCode }) => [time, phaseCode])).toEqual([
    [at(-5), 6],
    [at(0), 15],
    [at(2), 15],
    [at(3), 6],
  ]);
});

it.each([
  ['gave up', dead(3), /^Processing phase 15 failed and gave up: HTTP 422$/, { gaveUp: true }],
  [
    'is tried again',
    progress({
      status: 'Error',
      attempts: 2,
      lastError: 'HTTP 500',
      lastAttemptAt: at(3),
      nextAttemptAt: at(9),
    }),
    /^Processing phase 15 failed and is tried again at 2026-07-01T12:09:00.000Z: HTTP 500$/,
    { gaveUp: false, attempts: 2, lastError: 'HTTP 500', nextAttemptAt: at(9) },
  ],
  [
    'was put back because its target was at fault',
    progress({ status: 'Awaiting', lastError: 'ECONNREFUSED', lastAttemptAt: at(3), nextAttemptAt: at(6) }),
    /failed and is tried again at .*: ECONNREFUSED$/,
    { gaveUp: false },
  ],
  [
    'is due, when the time of its next attempt has passed',
    progress({ status: 'Error', lastError: 'HTTP 500', lastAttemptAt: at(3), nextAttemptAt: at(4) }),
    /^Processing phase 15 failed and is due to be tried again: HTTP 500$/,
    { gaveUp: false, nextAttemptAt: at(4) },
  ],
])('says of work that failed that it %s', (_, work, summary, details) => {
  const state = { ...work, status: work.status === 'Error' ? 'Error' : 'Awaiting' } as const;
  expect(events({ tickets: [ticket({ processing: state })] })).toEqual([
    expect.objectContaining({ kind: 'ticket-received' }),
    expect.objectContaining({
      at: at(3),
      kind: 'ticket-failed',
      summary: expect.stringMatching(summary),
      details: expect.objectContaining({ ticketId: '1', ...details }),
    }),
  ]);
});

it('says of work a person has discarded that nobody waits for it any more', () => {
  const found = events({ tickets: [ticket()], acks: [ack({ sending: discarded(3) })] });
  expect(found.at(-1)).toMatchObject({
    at: at(3),
    kind: 'ack-failed',
    summary: 'Sending the functional ACK of phase 15 failed and was discarded: HTTP 422',
    details: { gaveUp: false, discardedAt: at(4), nextAttemptAt: null },
  });
});

it('says what is under way', () => {
  expect(events({ tickets: [ticket({ processing: processing(1, 2) })] })[1]).toMatchObject({
    at: at(1),
    kind: 'ticket-processing',
    summary: 'Processing phase 15 is under way, attempt 2.',
  });
});

it('knows from its ACK that a ticket was corrected', () => {
  const messageKey = ticketAckKey(ticket(), '0af7651916cd43dd8448eb211c80319c');
  expect(kinds({ tickets: [ticket()], acks: [ack({ messageKey, createdAt: at(5) })] })).toEqual([
    'ticket-received',
    'ticket-corrected',
    'ack-enqueued',
  ]);
});

it('ascribes an ACK to its own phase, however the document is spelled, and a posted one to none', () => {
  const tickets = [ticket({ businessDocId: 'DOC-1' }), phase6({ createdAt: at(-1) })];
  const acks = [
    ack({ messageKey: ticketAckKey({ businessEntity: 'tck', businessDocId: 'doc-1', phaseCode: 6 }) }),
    ack({ id: '8', messageKey: 'functional-ack:content:partner-a:00' }),
    ack({ id: '9', messageKey: null }),
  ];
  const enqueued = events({ tickets, acks }).filter(({ kind }) => kind === 'ack-enqueued');
  expect(enqueued.map(({ phaseCode }) => phaseCode)).toEqual([6, undefined, undefined]);
});

it('remembers a return that the outbox has forgotten, and tells none twice', () => {
  expect(kinds({ tickets: [finished()] })).toContain('return-sent');
  const both = kinds({ tickets: [finished()], returns: [returned({ sending: done(3) })] });
  expect(both.filter((kind) => kind === 'return-sent')).toHaveLength(1);
});

it('quotes a callback that refuses', () => {
  const callback = { status: 'Error', receivedAt: at(9), code: 'E42', message: 'no such branch' } as const;
  expect(events({ tickets: [finished({ callback })] }).at(-1)).toMatchObject({
    at: at(9),
    kind: 'callback-received',
    summary: 'The gateway called back about phase 15 and says it refused it: E42, no such branch.',
    details: { callbackStatus: 'Error', code: 'E42', message: 'no such branch' },
  });
});

it('knows what another system did although it left no times', () => {
  const old = { ...processed(1), lastAttemptAt: null, doneAt: null };
  const found = events({ tickets: [ticket({ processing: old, updatedAt: at(30) })] });
  expect(found.at(-1)).toMatchObject({ at: at(30), kind: 'ticket-processed' });
});

const replay = {
  id: '3',
  lane: 'functional-ack',
  action: 'replay',
  actor: 'maria',
  reason: 'gateway fixed',
  selection: { ids: ['7', '8'] },
  affectedCount: 2,
  at: at(20),
} as const;

it('tells who discarded a message, and why', () => {
  const action = { ...replay, action: 'discard', reason: 'the branch was closed' } as const;
  expect(events({ acks: [ack({ sending: discarded(3) })], actions: [action] }).at(-1)).toMatchObject({
    at: at(20),
    kind: 'discarded',
    summary: 'maria discarded it (functional-ack): the branch was closed',
    details: { ids: ['7'], actor: 'maria' },
  });
});

it('tells of a message that was released from its order before messages could be discarded', () => {
  const action = { ...replay, action: 'release', reason: 'nobody wants it' } as const;
  expect(events({ acks: [ack({ sending: discarded(3) })], actions: [action] }).at(-1)).toMatchObject({
    kind: 'discarded',
    summary:
      'maria took it out of its order, so that later ones went on without it (functional-ack): nobody wants it',
  });
});

it('tells who brought a message back and which', () => {
  expect(events({ tickets: [ticket({ id: '8' })], acks: [ack()], actions: [replay] }).at(-1)).toEqual({
    at: at(20),
    kind: 'replayed',
    summary: 'maria put it back to be tried again (functional-ack): gateway fixed',
    details: { actionId: '3', lane: 'functional-ack', ids: ['7'], actor: 'maria', reason: 'gateway fixed' },
  });
});

it('begins with the counterparty of the same document', () => {
  const counterparty = {
    id: '5',
    businessEntity: null,
    status: 'Received',
    createdAt: at(-10),
    updatedAt: at(-9),
  };
  expect(kinds({ counterparties: [counterparty], tickets: [ticket()] })).toEqual([
    'counterparty-received',
    'counterparty-updated',
    'ticket-received',
  ]);
});
