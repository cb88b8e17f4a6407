import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decide, type Doubt, type Situation } from './decide.ts';
import { type Answer, type Outcome, refusal } from './outcome.ts';
import { MAX_RETRY_AFTER_MS } from './retry-after.ts';
import { FISCAL_RETRY, OUTBOX_ASK, OUTBOX_RETRY } from './retry-config.ts';

const HALF = () => 0.5;

const unreachable: Outcome = {
  kind: 'failed',
  blame: 'target',
  reason: 'refused',
  final: false,
  processed: 'no',
};
const broken: Outcome = {
  kind: 'failed',
  blame: 'either',
  reason: 'HTTP 500',
  final: false,
  processed: 'maybe',
};
const busy: Outcome = {
  kind: 'failed',
  blame: 'target',
  reason: 'HTTP 429',
  final: false,
  processed: 'no',
  answered: true,
};
const refusedBy = (reason: string): Outcome => ({
  kind: 'failed',
  blame: 'message',
  reason,
  final: true,
  processed: 'no',
  answered: true,
});
const lost: Outcome = { kind: 'unknown', blame: 'either', reason: 'reset' };

const decided = (outcome: Answer, more: Partial<Situation> = {}) =>
  decide({
    outcome,
    attempt: 1,
    retry: OUTBOX_RETRY,
    targetIsDown: false,
    targetHasServed: true,
    random: HALF,
    ...more,
  });

const inDoubt = (asks: number, absentForMs = 0): { doubt: Doubt } => ({
  doubt: { asks, absentForMs, config: OUTBOX_ASK },
});

describe('a message that may be sent twice', () => {
  it('is done when it is delivered, however late, and the target accepts', () => {
    expect(decided({ kind: 'delivered', alreadyProcessed: true }, { attempt: 99 })).toEqual({
      verdict: 'done',
      delayMs: 0,
      error: null,
      evidence: 'accepts',
      isCertain: true,
    });
  });

  it('dies at once of what would be refused again; a refusal the target spoke shows that it is up', () => {
    const spoken = refusedBy('HTTP 422');
    expect(decided(spoken)).toMatchObject({ verdict: 'dead', error: 'HTTP 422', evidence: 'judges' });
    expect(decided(refusal('no address'))).toMatchObject({ verdict: 'dead', evidence: 'none' });
  });

  it('waits longer each time and dies with its last attempt', () => {
    const decisions = [1, 2, 3].map((attempt) => decided(broken, { attempt, retry: FISCAL_RETRY }));
    expect(decisions).toMatchObject([
      { verdict: 'retry', delayMs: 550, evidence: 'fails' },
      { verdict: 'retry', delayMs: 1_050 },
      { verdict: 'dead', error: 'gave up after 3 attempts: HTTP 500' },
    ]);
  });

  it('is tried once more when the number of attempts was lowered meanwhile', () => {
    expect(decided({ kind: 'delivered' }, { attempt: 9 })).toMatchObject({ verdict: 'done' });
  });

  it('burns no attempt on a target that cannot be reached, or that fails for everybody', () => {
    const attempt = OUTBOX_RETRY.maxAttempts;
    expect(decided(unreachable, { attempt })).toMatchObject({ verdict: 'refund', delayMs: 5_000 });
    expect(decided(broken, { attempt, targetIsDown: true })).toMatchObject({ verdict: 'refund' });
  });

  it('does not die of a target that has served nobody since it was written', () => {
    const attempt = OUTBOX_RETRY.maxAttempts;
    expect(decided(broken, { attempt, targetHasServed: false })).toMatchObject({
      verdict: 'refund',
      evidence: 'broken',
    });
  });

  it.each([
    ['longer than the backoff', 600_000, 600_000],
    ['nothing, which is still not at once', 0, 500],
  ])('makes everybody wait when the target asks for it: %s', (_, retryAfterMs, blockMs) => {
    expect(decided({ ...busy, retryAfterMs })).toMatchObject({
      verdict: 'refund',
      evidence: 'judges',
      blockMs,
    });
  });

  it('makes everybody wait as long as the message when the target does not say how long', () => {
    expect(decided(busy)).toMatchObject({ verdict: 'refund', blockMs: 2_750 });
  });

  it('waits without a failure when the target needs more time', () => {
    expect(decided({ kind: 'later', afterMs: 9_000, reason: 'in the queue' }, { attempt: 5 })).toEqual({
      verdict: 'refund',
      delayMs: 9_000,
      error: 'in the queue',
      evidence: 'judges',
      isCertain: false,
    });
  });

  it('is simply sent again when an answer was lost', () => {
    expect(decided(lost)).toMatchObject({ verdict: 'retry', evidence: 'fails' });
  });
});

describe('a message that must not be sent twice', () => {
  it.each([
    ['a lost answer', lost],
    ['a failure behind which the work may be done', broken],
    ['a failure nobody has classified', { kind: 'failed', blame: 'message', reason: 'bug', final: true }],
    ['more patience', { kind: 'later', afterMs: 0, reason: 'in the queue' }],
  ] as const)('is asked about after %s', (_, outcome) => {
    const decision = decided(outcome, inDoubt(0));
    expect(decision.isCertain).toBe(false);
    expect(['retry', 'wait']).toContain(decision.verdict);
  });

  it.each([
    ['could not be reached', unreachable, 'refund'],
    ['was too busy', busy, 'refund'],
    ['refused it', refusedBy('HTTP 422'), 'dead'],
  ] as const)('is certain to be nowhere when the target %s', (_, outcome, verdict) => {
    expect(decided(outcome, inDoubt(0))).toMatchObject({ verdict, isCertain: true });
  });

  it('learns nothing of itself from a question that failed', () => {
    for (const outcome of [unreachable, busy, broken, refusedBy('HTTP 403')]) {
      expect(decided(outcome, inDoubt(3))).toMatchObject({ verdict: 'retry', isCertain: false });
    }
  });

  it('is done when the target has it, and dead when the target will not have it', () => {
    expect(decided({ kind: 'delivered' }, inDoubt(2))).toMatchObject({ verdict: 'done', isCertain: true });
    const refused = decided({ kind: 'refused', reason: 'rejected' }, inDoubt(2));
    expect(refused).toMatchObject({ verdict: 'dead', isCertain: true });
  });

  it('learns of its target no more from a question than that it replies', () => {
    const answers: Answer[] = [
      { kind: 'delivered' },
      { kind: 'absent', reason: 'not found' },
      { kind: 'refused', reason: 'rejected' },
      { kind: 'later', afterMs: 10, reason: 'in the queue' },
      refusedBy('HTTP 403'),
      busy,
    ];
    for (const answer of answers) expect(decided(answer, inDoubt(3)).evidence).toBe('replies');
  });

  it('is sent again only when its absence has lasted', () => {
    const absent = { kind: 'absent', reason: 'not found' } as const;
    expect(decided(absent, inDoubt(1))).toMatchObject({
      verdict: 'retry',
      isCertain: false,
      saysAbsent: true,
    });
    const busyWithIt = { kind: 'later', afterMs: 10, reason: 'in the queue' } as const;
    expect(decided(busyWithIt, inDoubt(2, 500))).toMatchObject({ verdict: 'wait', saysAbsent: false });
    expect(decided(lost, inDoubt(3, 500))).not.toHaveProperty('saysAbsent');
    const almost = decided(absent, inDoubt(7, OUTBOX_ASK.quietMs - 1_000));
    expect(almost).toMatchObject({ isCertain: false, delayMs: 1_000 });
    expect(decided(absent, inDoubt(8, OUTBOX_ASK.quietMs))).toEqual({
      verdict: 'wait',
      delayMs: 0,
      error: 'not found',
      evidence: 'replies',
      isCertain: true,
    });
  });

  it('gives up when it is absent after its last attempt, unless the target has served nobody', () => {
    const absent = { kind: 'absent', reason: 'not found' } as const;
    const last = { attempt: 5, ...inDoubt(9, OUTBOX_ASK.quietMs) };
    expect(decided(absent, last)).toMatchObject({ verdict: 'dead', isCertain: true });
    expect(decided(absent, { ...last, targetHasServed: false })).toMatchObject({ verdict: 'refund' });
  });

  it('is handed back as it was when we broke the attempt off; only a delivery of which nothing left is certain', () => {
    const cutOff = (outcome: Answer, asks: number) => decided(outcome, { ...inDoubt(asks), wasCutOff: true });
    expect(cutOff(lost, 0)).toMatchObject({ verdict: 'return', evidence: 'none', isCertain: false });
    expect(cutOff(unreachable, 0)).toMatchObject({ verdict: 'return', isCertain: true });
    expect(cutOff(unreachable, 1)).toMatchObject({ verdict: 'return', isCertain: false });
    expect(cutOff({ kind: 'delivered' }, 1)).toMatchObject({ verdict: 'done', isCertain: true });
  });

  it('tells a human from its limit on, and goes on asking, slower', () => {
    const asked = (asks: number) => decided(lost, inDoubt(asks));
    expect(asked(OUTBOX_ASK.limit - 1)).not.toHaveProperty('needsHuman');
    expect(asked(OUTBOX_ASK.limit)).toMatchObject({ needsHuman: true, isCertain: false });
    expect(asked(OUTBOX_ASK.limit + 1)).toMatchObject({ needsHuman: true });
    expect(asked(OUTBOX_ASK.limit + 1).delayMs).toBeGreaterThan(asked(OUTBOX_ASK.limit - 1).delayMs);
    expect(asked(5_000)).toMatchObject({ verdict: 'retry', isCertain: false });
  });
});

describe('any decision', () => {
  const blame = fc.constantFrom('target' as const, 'either' as const, 'message' as const);
  const processed = fc.constantFrom('no' as const, 'maybe' as const);
  const reason = fc.string({ minLength: 1 });
  /** Whatever a handler may say. */
  const wait = fc.oneof(fc.integer({ min: 0, max: MAX_RETRY_AFTER_MS }), fc.double());
  const failed = fc.record(
    {
      kind: fc.constant('failed' as const),
      blame,
      reason,
      final: fc.boolean(),
      processed,
      answered: fc.constant(true as const),
      retryAfterMs: wait,
    },
    { requiredKeys: ['kind', 'blame', 'reason', 'final'] },
  );
  const anyAnswer: fc.Arbitrary<Answer> = fc.oneof(
    fc.constant({ kind: 'delivered' as const }),
    fc.record({ kind: fc.constant('later' as const), afterMs: wait, reason }),
    fc.record({ kind: fc.constant('absent' as const), reason }),
    fc.record({ kind: fc.constant('refused' as const), reason }),
    fc.record({ kind: fc.constant('unknown' as const), blame: fc.constant('either' as const), reason }),
    failed,
  );
  const anySituation = fc.record({
    outcome: anyAnswer,
    attempt: fc.integer({ min: 1, max: 12 }),
    retry: fc.constantFrom(FISCAL_RETRY, OUTBOX_RETRY),
    targetIsDown: fc.boolean(),
    targetHasServed: fc.boolean(),
    wasCutOff: fc.boolean(),
    doubt: fc.option(
      fc.record({
        asks: fc.integer({ min: 0, max: 40 }),
        absentForMs: fc.integer({ min: 0, max: 200_000 }),
        config: fc.constant(OUTBOX_ASK),
      }),
      { nil: undefined },
    ),
  });

  it('keeps its reason and waits for a time that can be scheduled', () => {
    fc.assert(
      fc.property(anySituation, (situation) => {
        const { verdict, error, delayMs } = decide(situation);
        const { outcome } = situation;
        if (outcome.kind !== 'delivered') expect(error?.endsWith(outcome.reason)).toBe(true);
        expect(Number.isInteger(delayMs)).toBe(true);
        expect(delayMs).toBeGreaterThanOrEqual(0);
        expect(delayMs).toBeLessThanOrEqual(MAX_RETRY_AFTER_MS);
        if (verdict === 'retry') expect(delayMs).toBeGreaterThan(0);
      }),
    );
  });

  it('blocks a target for a time that can be scheduled', () => {
    fc.assert(
      fc.property(anySituation, (situation) => {
        const { blockMs = 1 } = decide(situation);
        expect(blockMs).toBeGreaterThan(0);
        expect(blockMs).toBeLessThanOrEqual(MAX_RETRY_AFTER_MS);
      }),
    );
  });

  it('never lets a message in doubt be sent again, except when the target certainly has nothing', () => {
    fc.assert(
      fc.property(anySituation, (situation) => {
        const { outcome, doubt } = situation;
        if (!doubt) return;
        const { isCertain } = decide(situation);
        const nothingWasSent = outcome.kind === 'failed' && outcome.processed === 'no' && doubt.asks === 0;
        const isAbsent = outcome.kind === 'absent' && doubt.absentForMs >= doubt.config.quietMs;
        const isJudged = outcome.kind === 'delivered' || outcome.kind === 'refused';
        expect(isCertain).toBe(nothingWasSent || isAbsent || isJudged);
      }),
    );
  });

  it('never gives up a message in doubt', () => {
    fc.assert(
      fc.property(anySituation, (situation) => {
        const { verdict, isCertain } = decide(situation);
        if (situation.doubt && !isCertain) expect(['retry', 'wait', 'return']).toContain(verdict);
      }),
    );
  });
});
