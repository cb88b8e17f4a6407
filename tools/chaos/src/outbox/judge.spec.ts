import { describe, expect, it } from '@jest/globals';
import { broken, type Evidence, judge } from './judge.ts';
import { digestOf, parseKey, payloadOf } from './message.ts';

const accepted = (...keys: string[]) =>
  keys.map((key) => ({ key, digest: digestOf(payloadOf(parseKey(key))), arrivedAt: 0 }));

const evidence = (changes: Partial<Evidence>): Evidence => ({
  enqueued: new Set(['a/0', 'a/1', 'b/0']),
  ledger: accepted('a/0', 'b/0', 'a/1'),
  settled: ['a/0', 'a/1', 'b/0'],
  ...changes,
});

describe('the judge', () => {
  it('finds nothing wrong when each message was accepted once, in the order of its key', () => {
    const judgement = judge(evidence({}));
    expect(judgement).toMatchObject({ lost: 0, reordered: 0, settledTwice: 0, duplicates: 0 });
    expect(broken(judgement)).toBe(false);
  });

  it('allows duplicates, and a late repeat is not out of order', () => {
    const judgement = judge(evidence({ ledger: accepted('a/0', 'a/1', 'a/0', 'b/0', 'b/0') }));
    expect(judgement).toMatchObject({ duplicates: 2, lateRepeats: 1, reordered: 0 });
    expect(broken(judgement)).toBe(false);
  });

  it.each([
    ['lost', { ledger: accepted('a/0', 'a/1') }],
    ['invented', { ledger: accepted('a/0', 'a/1', 'b/0', 'c/0') }],
    ['unsettled', { settled: ['a/0', 'b/0'] }],
    ['settledTwice', { settled: ['a/0', 'a/1', 'a/1', 'b/0'] }],
    ['reordered', { ledger: accepted('a/1', 'a/0', 'b/0') }],
    ['altered', { ledger: [...accepted('a/0', 'a/1'), { key: 'b/0', digest: 'other', arrivedAt: 0 }] }],
  ] as const)('sees a message that was %s', (violation, changes) => {
    const judgement = judge(evidence(changes));
    expect(judgement[violation]).toBeGreaterThan(0);
    expect(broken(judgement)).toBe(true);
  });
});
