import { describe, expect, it } from '@jest/globals';
import { broken, type Evidence, judge } from './judge.ts';
import { digestOf, parseKey, payloadOf } from './message.ts';

const accepted = (...keys: string[]) =>
  keys.map((key, n) => ({
    key,
    digest: digestOf(payloadOf(parseKey(key))),
    receipt: `receipt ${n} for ${key}`,
  }));

const LEDGER = accepted('a/0', 'b/0', 'a/1');
const settled = (...keys: string[]) =>
  keys.map((key) => ({ key, receipt: LEDGER.find((entry) => entry.key === key)?.receipt ?? null }));

const evidence = (changes: Partial<Evidence>): Evidence => ({
  enqueued: new Set(['a/0', 'a/1', 'b/0']),
  ledger: LEDGER,
  settled: settled('a/0', 'a/1', 'b/0'),
  ...changes,
});

describe('the judge', () => {
  it('finds nothing wrong when each message was accepted once, in the order of its key', () => {
    const { violations, ...judgement } = judge(evidence({}));
    expect(violations).toMatchObject({ lost: 0, reordered: 0, settledTwice: 0, receiptsMissing: 0 });
    expect(judgement).toEqual({ duplicates: 0, lateRepeats: 0 });
    expect(broken(violations)).toBe(false);
  });

  it('counts duplicates, and takes no late repeat for one that is out of order', () => {
    const ledger = [...LEDGER, ...accepted('a/0', 'b/0')];
    const { violations, ...judgement } = judge(evidence({ ledger }));
    expect(judgement).toEqual({ duplicates: 2, lateRepeats: 1 });
    expect(broken(violations)).toBe(false);
  });

  it('accepts the receipt of either of two acceptances', () => {
    const ledger = LEDGER.flatMap((entry) =>
      entry.key === 'a/0' ? [entry, { ...entry, receipt: 'another' }] : [entry],
    );
    const rows = [...settled('a/1', 'b/0'), { key: 'a/0', receipt: 'another' }];
    expect(judge(evidence({ ledger, settled: rows })).violations.receiptsMissing).toBe(0);
  });

  it.each<[keyof ReturnType<typeof judge>['violations'], Partial<Evidence>]>([
    ['lost', { ledger: LEDGER.slice(0, 1) }],
    ['invented', { ledger: [...LEDGER, ...accepted('c/0')] }],
    ['unsettled', { settled: settled('a/0', 'b/0') }],
    ['settledTwice', { settled: settled('a/0', 'a/1', 'a/1', 'b/0') }],
    ['reordered', { ledger: LEDGER.toReversed() }],
    ['altered', { ledger: LEDGER.map((entry) => ({ ...entry, digest: 'other' })) }],
    ['receiptsMissing', { settled: [...settled('a/0', 'a/1'), { key: 'b/0', receipt: null }] }],
    [
      'receiptsMissing',
      { settled: [...settled('a/0', 'a/1'), { key: 'b/0', receipt: 'receipt 0 for a/0' }] },
    ],
  ])('sees a message that was %s', (violation, changes) => {
    const { violations } = judge(evidence(changes));
    expect(violations[violation]).toBeGreaterThan(0);
    expect(broken(violations)).toBe(true);
  });
});
