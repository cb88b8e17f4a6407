import { expect, it } from '@jest/globals';
import { type Lane, type TargetReport } from '@malote/lanes';
import { gatewaySend } from '@malote/tickets';
import { addressOrigin } from '../operations/operated-lanes.ts';
import { type DocumentRows } from './document-rows.ts';
import { hindrancesOf } from './hindrances.ts';
import {
  ack,
  at,
  dead,
  discarded,
  done,
  finished,
  progress,
  returned,
  rows,
  ticket,
} from './testing/made-up-rows.ts';

const GATEWAY = 'https://gateway.example';

function report(target: string, more: Partial<TargetReport>): TargetReport {
  return { target, openCount: 0, blockedForMs: 0, paused: false, lastSuccessAt: null, pause: null, ...more };
}
const pause = { by: 'maria', reason: 'maintenance', since: at(0) };
const paused = (target: string) => report(target, { paused: true, pause });
const down = (target: string) => report(target, { openCount: 2 });

const patient = (target: string) => report(target, { blockedForMs: 41_500 });
const namesOf = (lane: Lane, target: string) => ({
  target: target.toLowerCase(),
  group: lane === gatewaySend ? GATEWAY : (addressOrigin(lane, target) ?? target),
});

const hindrances = (made: Partial<DocumentRows>, ...reports: TargetReport[]) =>
  hindrancesOf(rows(made), reports, namesOf);
const codes = (made: Partial<DocumentRows>, ...reports: TargetReport[]) =>
  hindrances(made, ...reports).map(({ code }) => code);

const unsent = finished({ gatewaySend: progress(), callback: ticket().callback });

it('says who paused the lane of work that is left, and why', () => {
  expect(hindrances({ returns: [returned()] }, paused('lane:ticket-return'))).toEqual([
    {
      code: 'lane-paused',
      businessEntity: 'TCK',
      phaseCode: 15,
      message: 'The lane ticket-return was paused by maria at 2026-07-01T12:00:00.000Z: maintenance',
    },
  ]);
});

it.each<[string, Partial<DocumentRows>, string, string | undefined]>([
  ['processing', { tickets: [ticket()] }, 'lane:ticket-processing', undefined],
  ['gateway send', { tickets: [unsent] }, 'lane:gateway-send', GATEWAY],
  ['ACK', { acks: [ack()] }, 'lane:functional-ack', 'https://ack.example'],
  ['return', { returns: [returned()] }, 'lane:ticket-return', 'https://return.example'],
])('looks at the lane and the target of a %s', (_, made, lane, target) => {
  expect(codes(made, paused(lane), paused('lane:other'), down('https://other.example'))).toEqual([
    'lane-paused',
  ]);
  if (target === undefined) return;
  expect(codes(made, paused(target))).toEqual(['target-paused']);
  expect(codes(made, down(target))).toEqual(['target-down']);
  expect(codes(made, report(target, { lastSuccessAt: at(0) }))).toEqual([]);
});

it('hinders nothing that is done, gave up, was called back about or cannot begin yet', () => {
  const all = [
    ...['processing', 'return'].map((name) => paused(`lane:ticket-${name}`)),
    paused('lane:functional-ack'),
    paused('lane:gateway-send'),
    down(GATEWAY),
  ];
  const calledBack = finished({ gatewaySend: progress() });
  const givenUp = ticket({ processing: { ...dead(1), status: 'Error' } });
  const made = {
    acks: [ack({ sending: done(1) })],
    returns: [returned({ sending: dead(1) }), returned({ sending: discarded(1) })],
  };
  expect(codes({ ...made, tickets: [finished(), calledBack, givenUp] }, ...all)).toEqual([]);
});

it.each<[string, Partial<DocumentRows>, string]>([
  ['an address', { acks: [ack()] }, 'https://ack.example/v3'],
  ['an application', { tickets: [unsent] }, 'asb'],
])('says that %s asked for patience, which others of its origin need not have', (_, made, target) => {
  expect(hindrances(made, patient(target))).toMatchObject([
    {
      code: 'target-asks-for-patience',
      message: `${target} asked for patience: nothing is sent to it for another 42 seconds.`,
    },
  ]);
  expect(codes(made, patient(`${target}/other`))).toEqual([]);
});

it('takes the time until the next probe of a target that is down for no patience', () => {
  const report42 = { ...down('https://ack.example'), blockedForMs: 42_000 };
  expect(codes({ acks: [ack()] }, report42)).toEqual(['target-down']);
});

it('says once what is true of an address that is its own origin', () => {
  const made = { acks: [ack({ targetUrl: 'https://ack.example' })] };
  expect(codes(made, paused('https://ack.example'))).toEqual(['target-paused']);
});

it('names no phase for an ACK that somebody posted', () => {
  expect(hindrances({ acks: [ack({ messageKey: null })] }, down('https://ack.example'))).toEqual([
    {
      code: 'target-down',
      message: 'https://ack.example fails for everyone and is probed until it is back.',
    },
  ]);
});
