import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Classification } from './classification.ts';
import { decide } from './decide.ts';
import { MAX_RETRY_AFTER_MS } from './retry-after.ts';
import { FISCAL_RETRY, OUTBOX_RETRY } from './retry-config.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const HALF = () => 0.5;

const refused: Classification = { kind: 'retry', blame: 'target', processed: 'no', reason: 'refused' };
const failed: Classification = { kind: 'retry', blame: 'either', processed: 'maybe', reason: 'HTTP 500' };
const lost: Classification = { kind: 'unknown', blame: 'either', reason: 'reset' };

const decided = (classification: Classification, attempt: number, config = OUTBOX_RETRY) =>
  decide({ classification, attempt, config, now: NOW, random: HALF });

describe('decide', () => {
  it('is done with what is done, however late', () => {
    expect(decided({ kind: 'done', alreadyProcessed: true }, 99)).toEqual({
      kind: 'done',
      alreadyProcessed: true,
    });
  });

  it('ends at once what will be refused again', () => {
    const refusal: Classification = { kind: 'final', blame: 'message', processed: 'no', reason: 'HTTP 422' };
    expect(decided(refusal, 1)).toEqual({ kind: 'final', processed: 'no', reason: 'HTTP 422' });
  });

  it('retries with a longer wait each time and gives up with the last attempt', () => {
    const decisions = [1, 2, 3].map((attempt) => decided(failed, attempt, FISCAL_RETRY));
    expect(decisions).toEqual([
      { kind: 'retry', afterMs: 550, processed: 'maybe', reason: 'HTTP 500' },
      { kind: 'retry', afterMs: 1_050, processed: 'maybe', reason: 'HTTP 500' },
      { kind: 'final', processed: 'maybe', reason: 'gave up after 3 attempts: HTTP 500' },
    ]);
  });

  it.each([
    ['longer than the backoff', '600', 600_000],
    ['shorter than the backoff', '1', 1_000],
    ['a date', 'Sun, 01 Mar 2026 12:02:00 GMT', 120_000],
    ['nothing, which is still not at once', '0', 500],
    ['a week, which is cut to a day', '604800', MAX_RETRY_AFTER_MS],
    ['gibberish, so that the backoff counts', 'soon', 2_750],
  ])('lets the target ask for a wait: %s', (_, retryAfter, afterMs) => {
    expect(decided({ ...refused, retryAfter }, 1)).toEqual({
      kind: 'retry',
      afterMs,
      processed: 'no',
      reason: 'refused',
    });
  });

  it('does not let a target ask for more attempts than there are', () => {
    expect(decided({ ...refused, retryAfter: '1' }, 5)).toMatchObject({ kind: 'final' });
  });

  it('asks first when the outcome is unknown and tells a human when the attempts are used up', () => {
    expect(decided(lost, 4)).toEqual({ kind: 'unknown', afterMs: 160_250, escalate: false, reason: 'reset' });
    expect(decided(lost, 5)).toEqual({
      kind: 'unknown',
      afterMs: 640_250,
      escalate: true,
      reason: 'gave up after 5 attempts: reset',
    });
  });
});

describe('any decision', () => {
  const blame = fc.constantFrom('target' as const, 'either' as const);
  const processed = fc.constantFrom('no' as const, 'maybe' as const);
  const reason = fc.string({ minLength: 1 });
  const anyClassification: fc.Arbitrary<Classification> = fc.oneof(
    fc.record({ kind: fc.constant('done' as const), alreadyProcessed: fc.boolean() }),
    fc.record({
      kind: fc.constant('final' as const),
      blame: fc.constant('message' as const),
      processed,
      reason,
    }),
    fc.record({ kind: fc.constant('unknown' as const), blame, reason }),
    fc.record(
      {
        kind: fc.constant('retry' as const),
        blame,
        processed,
        reason,
        retryAfter: fc.oneof(fc.string(), fc.nat().map(String)),
      },
      { requiredKeys: ['kind', 'blame', 'processed', 'reason'] },
    ),
  );
  const anyAttempt = fc.integer({ min: 1, max: 12 });
  const anyConfig = fc.constantFrom(FISCAL_RETRY, OUTBOX_RETRY);

  it('is made for every situation, keeps its reason and waits for a time that can be scheduled', () => {
    fc.assert(
      fc.property(anyClassification, anyAttempt, anyConfig, (classification, attempt, config) => {
        const decision = decide({ classification, attempt, config, now: NOW });
        const gaveUp = classification.kind === 'retry' && attempt >= config.maxAttempts;
        expect(decision.kind).toBe(gaveUp ? 'final' : classification.kind);
        if (decision.kind !== 'done' && classification.kind !== 'done') {
          expect(decision.reason.endsWith(classification.reason)).toBe(true);
        }
        if (decision.kind === 'retry' || decision.kind === 'unknown') {
          expect(decision.afterMs).toBeGreaterThanOrEqual(config.baseMs / 10);
          expect(decision.afterMs).toBeLessThanOrEqual(MAX_RETRY_AFTER_MS);
        }
        if (decision.kind === 'unknown') expect(decision.escalate).toBe(attempt >= config.maxAttempts);
      }),
    );
  });
});
