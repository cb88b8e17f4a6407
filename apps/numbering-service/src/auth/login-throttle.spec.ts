import { expect, it } from '@jest/globals';
import { type Counter, delayAfter, failuresAfter, loginKeys, waitMs } from './login-throttle.ts';

const NOW = new Date('2026-03-10T12:00:00.000Z');
const DAY_MS = 86_400_000;
const inMs = (ms: number) => new Date(NOW.getTime() + ms);
const counter = (
  kind: Counter['kind'],
  blockedForMs: number | null,
  lastSuccessAt: Date | null = null,
): Counter => ({
  failures: 0,
  lastFailureAt: null,
  kind,
  key: kind,
  blockedUntil: blockedForMs === null ? null : inMs(blockedForMs),
  lastSuccessAt,
});

it.each([
  ['pair', 5, 900],
  ['change', 5, 900],
  ['account', 20, 60],
  ['address', 30, 900],
] as const)('%s: %i failures are free, then the delay doubles up to %i s', (kind, free, maxSeconds) => {
  expect(delayAfter(kind, free)).toBe(0);
  expect([1, 2, 3, 4, 5].map((more) => delayAfter(kind, free + more))).toEqual([
    1000, 2000, 4000, 8000, 16000,
  ]);
  expect(delayAfter(kind, free + 20)).toBe(maxSeconds * 1000);
  expect(delayAfter(kind, free + 5000)).toBe(maxSeconds * 1000);
});

it('waits for the longest of the delays, and for none that is over', () => {
  expect(waitMs([], NOW)).toBe(0);
  expect(waitMs([counter('pair', null), counter('address', -1)], NOW)).toBe(0);
  expect(waitMs([counter('pair', 3000), counter('address', 9000), counter('account', 1000)], NOW)).toBe(9000);
});

it.each([
  ['pair', 24],
  ['change', 24],
  ['account', 24],
  ['address', 1],
] as const)('%s: failures are forgotten after %i h without one', (kind, hours) => {
  const failed = (agoMs: number) => ({ ...counter(kind, null), failures: 7, lastFailureAt: inMs(-agoMs) });
  expect(failuresAfter(failed(hours * 3_600_000), NOW)).toBe(8);
  expect(failuresAfter(failed(hours * 3_600_000 + 1), NOW)).toBe(1);
});

it.each(['account', 'address'] as const)(
  'does not ask how strangers fared with the %s of who is known here',
  (kind) => {
    const shared = counter(kind, 60_000);
    expect(waitMs([shared, counter('pair', null, inMs(-30 * DAY_MS))], NOW)).toBe(0);
    expect(waitMs([shared, counter('pair', null, inMs(-30 * DAY_MS - 1))], NOW)).toBe(60_000);
    expect(waitMs([shared, counter('pair', null)], NOW)).toBe(60_000);
    expect(waitMs([shared, counter('pair', 5000, inMs(-1))], NOW)).toBe(5000);
  },
);

it('keeps hashes only, and takes an IPv6 network for one address', () => {
  const keys = loginKeys('ana@itajai.example', '2001:db8::1');
  expect(keys.map(({ kind }) => kind)).toEqual(['account', 'address', 'pair']);
  for (const { key } of keys) expect(key).toMatch(/^[\da-f]{64}$/);
  expect(loginKeys('ana@itajai.example', '2001:db8::ffff:2')).toEqual(keys);
  expect(
    new Set([...keys, ...loginKeys('bia@itajai.example', '2001:db8:0:1::1')].map(({ key }) => key)).size,
  ).toBe(6);
});
