import { expect, it } from '@jest/globals';
import { ticketAckKey } from '@malote/tickets';
import { type DocumentRows } from './document-rows.ts';
import { missingOf } from './missing.ts';
import {
  ack,
  at,
  awaiting,
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
  weighed,
} from './testing/made-up-rows.ts';

const MINUTE_MS = 60_000;

function missing(made: Partial<DocumentRows>, minutes = 60) {
  const expectations = { now: at(minutes), patienceMs: 10 * MINUTE_MS, keptMs: 90 * 24 * 60 * MINUTE_MS };
  return missingOf(rows(made), expectations);
}
const codes = (made: Partial<DocumentRows>, minutes?: number) =>
  missing(made, minutes).map(({ code, phaseCode }) => `${code}:${phaseCode ?? '-'}`);

it('misses nothing of a document that is finished, nor of one that has just arrived', () => {
  expect(missing({ tickets: [finished(), weighed()], acks: [ack({ sending: done(1) })] })).toEqual([]);
  const fresh = [ticket({ functionalAckIsRequired: true })];
  expect(missing({ tickets: fresh, acks: [ack()] }, 9)).toEqual([]);
});

it('misses phase 15 when only phase 6 is there, and does not blame phase 6', () => {
  expect(
    missing({
      tickets: [weighed({ processing: awaiting, gatewaySend: progress(), callback: ticket().callback })],
    }),
  ).toEqual([
    {
      code: 'phase-15-missing',
      businessEntity: 'TCK',
      phaseCode: 15,
      message: 'Phase 15 never arrived; phase 6 waits for it.',
    },
  ]);
});

it('misses phase 6 once phase 15 is processed, and not before', () => {
  expect(codes({ tickets: [finished()] })).toEqual(['phase-6-missing:6']);
  expect(codes({ tickets: [ticket()] }, 1)).toEqual([]);
});

it('looks for the phases of one entity only', () => {
  const tickets = [finished(), weighed({ businessEntity: 'OTHER' })];
  expect(codes({ tickets })).toEqual(['phase-6-missing:6', 'phase-15-missing:15']);
  expect(codes({ tickets: [finished(), weighed({ businessEntity: 'tck' })] })).toEqual([]);
});

it('says that phase 6 waits for phase 15, which is what is stuck', () => {
  const tickets = [ticket({ processing: { ...dead(1), status: 'Error' } }), phase6()];
  expect(codes({ tickets })).toEqual(['ticket-gave-up:15', 'ticket-waits-for-phase-15:6']);
  expect(codes({ tickets: [ticket(), phase6()] }, 9)).toEqual([]);
});

it.each([
  ['Awaiting', awaiting, 'Phase 15 is still Awaiting after 60 minutes.'],
  ['Processing', processing(20), 'Phase 15 is still Processing after 40 minutes.'],
  [
    'Error',
    { ...awaiting, status: 'Error', lastError: 'boom' },
    'Phase 15 is still Error after 60 minutes: boom',
  ],
] as const)('misses the processing of a ticket that stays %s', (_, state, message) => {
  const [found, ...others] = missing({ tickets: [ticket({ processing: state })] });
  expect(found).toMatchObject({ code: 'ticket-not-processed', phaseCode: 15, message });
  expect(others).toEqual([]);
});

it('counts the time a ticket waits from its last change: a corrected one begins again', () => {
  expect(codes({ tickets: [ticket({ updatedAt: at(55) })] })).toEqual([]);
});

it('misses a functional ACK that was asked for', () => {
  const tickets = [ticket({ functionalAckIsRequired: true, updatedAt: at(59) })];
  expect(codes({ tickets })).toEqual(['ack-not-enqueued:15']);
  expect(codes({ tickets: [ticket({ updatedAt: at(59) })] })).toEqual([]);
});

it('does not take the ACK of the other phase for it, but one that somebody posted', () => {
  const tickets = [
    ticket({ functionalAckIsRequired: true, updatedAt: at(59) }),
    phase6({ updatedAt: at(59) }),
  ];
  const ofPhase6 = ack({ messageKey: ticketAckKey(phase6()), sending: done(1) });
  expect(codes({ tickets, acks: [ofPhase6] })).toContain('ack-not-enqueued:15');
  expect(codes({ tickets, acks: [ack({ messageKey: null, sending: done(1) })] })).not.toContain(
    'ack-not-enqueued:15',
  );
});

it('does not miss an ACK the outbox had time to forget', () => {
  const tickets = [finished({ functionalAckIsRequired: true }), weighed()];
  expect(codes({ tickets }, 91 * 24 * 60)).toEqual([]);
  expect(codes({ tickets }, 89 * 24 * 60)).toEqual(['ack-not-enqueued:15']);
});

it.each([
  ['waits', progress({ lastError: 'ECONNREFUSED' }), 'ack-not-sent', /for 60 minutes: ECONNREFUSED$/],
  [
    'is parked',
    progress({ nextAttemptAt: null }),
    'ack-not-sent',
    /an earlier message of its document has to be sent first/,
  ],
  ['gave up', dead(1), 'ack-gave-up', /gave up: HTTP 422$/],
])('misses an ACK that %s', (_, sending, code, message) => {
  const [found, ...others] = missing({ tickets: [finished(), weighed()], acks: [ack({ sending })] });
  expect(found).toMatchObject({ code, phaseCode: 15, message: expect.stringMatching(message) });
  expect(others).toEqual([]);
});

it('misses the delivery of an ACK no ticket belongs to', () => {
  expect(missing({ acks: [ack({ messageKey: null, sending: dead(1) })] })).toEqual([
    { code: 'ack-gave-up', message: 'Sending a functional ACK gave up: HTTP 422' },
  ]);
});

it('misses nothing that a person has discarded', () => {
  const callback = ticket().callback;
  const unsent = finished({ gatewaySend: discarded(2), callback });
  const unprocessed = phase6({ processing: { ...discarded(1), status: 'Error' } });
  const acks = [ack({ sending: discarded(1) })];
  const returns = [returned({ sending: discarded(1) })];
  expect(missing({ tickets: [unsent, unprocessed], acks, returns })).toEqual([]);
});

it('still misses the phase 6 that waits for a discarded phase 15', () => {
  const callback = ticket().callback;
  const gone = ticket({ processing: { ...discarded(1), status: 'Error' } });
  expect(missing({ tickets: [gone, phase6()] })).toEqual([
    {
      code: 'ticket-waits-for-phase-15',
      businessEntity: 'TCK',
      phaseCode: 6,
      message: 'Phase 6 waits until phase 15 is processed, and that was discarded.',
    },
  ]);
  const unsent = [
    finished({ gatewaySend: discarded(2), callback }),
    weighed({ gatewaySend: progress(), callback }),
  ];
  expect(missing({ tickets: unsent })).toMatchObject([
    {
      phaseCode: 6,
      message: expect.stringMatching(/; phase 15 has to be sent first, and that was discarded\.$/),
    },
  ]);
});

it('does not blame a phase 15 that another system has sent', () => {
  const [sentElsewhere, waiting] = [
    finished({ gatewaySend: progress({ nextAttemptAt: null }) }),
    weighed({ gatewaySend: progress(), callback: ticket().callback }),
  ];
  expect(missing({ tickets: [sentElsewhere, waiting] })).toMatchObject([
    { code: 'gateway-not-sent', phaseCode: 6, message: expect.stringMatching(/after it was processed\.$/) },
  ]);
});

it('misses returns: not enqueued, not sent, given up', () => {
  const unreturned = { tickets: [finished({ returnStatus: 'Pending', returnSentAt: null }), weighed()] };
  expect(codes(unreturned)).toEqual(['return-not-enqueued:15']);
  expect(codes(unreturned, 5)).toEqual([]);
  expect(codes({ ...unreturned, returns: [returned()] })).toEqual(['return-not-sent:15']);
  expect(codes({ ...unreturned, returns: [returned()] }, 5)).toEqual([]);
  expect(codes({ ...unreturned, returns: [returned({ sending: dead(2) })] }, 5)).toEqual([
    'return-gave-up:15',
  ]);
});

it('misses the send to the gateway, and says when phase 15 is in its way', () => {
  const callback = ticket().callback;
  const unsent = (minutes: number) => ({ processing: processed(minutes), gatewaySend: progress(), callback });
  const found = missing({ tickets: [finished(unsent(1)), weighed(unsent(30))] });
  expect(found).toMatchObject([
    {
      code: 'gateway-not-sent',
      phaseCode: 15,
      message: 'Phase 15 was not sent to the gateway 59 minutes after it was processed.',
    },
    {
      code: 'gateway-not-sent',
      phaseCode: 6,
      message: expect.stringMatching(/30 minutes .*; phase 15 has to be sent first\.$/),
    },
  ]);
  expect(codes({ tickets: [finished({ gatewaySend: dead(2), callback }), weighed()] }, 3)).toEqual([
    'gateway-gave-up:15',
  ]);
});

it('takes what was called back for sent, whoever sent it', () => {
  expect(
    codes({ tickets: [finished({ gatewaySend: progress({ nextAttemptAt: null }) }), weighed()] }),
  ).toEqual([]);
});

it.each([
  ['never came', { status: 'Pending', receivedAt: null }, ['callback-missing:15']],
  ['has not said how it ended', { status: 'Received', receivedAt: at(3) }, ['callback-unfinished:15']],
  ['has only just said that it was received', { status: 'Received', receivedAt: at(55) }, []],
  ['was an error', { status: 'Error', receivedAt: at(59) }, ['callback-error:15']],
] as const)('looks at a callback that %s', (_, said, expected) => {
  const callback = { code: 'E42', message: null, ...said };
  expect(codes({ tickets: [finished({ callback }), weighed()] })).toEqual(expected);
});

it('gives the gateway time to call back', () => {
  expect(codes({ tickets: [finished({ callback: ticket().callback }), weighed()] }, 11)).toEqual([]);
});
