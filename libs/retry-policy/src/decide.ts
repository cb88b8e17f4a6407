import { backoffMs, type Random, shortestWaitMs } from './backoff.ts';
import type { Answer, Outcome } from './outcome.ts';
import { MAX_RETRY_AFTER_MS } from './retry-after.ts';
import type { AskConfig, RetryConfig } from './retry-config.ts';

/** Of a message that must not reach its target twice. */
export interface Doubt {
  /** Questions asked about it, the last one included; 0 when the outcome is that of a delivery. */
  readonly asks: number;
  /** For how long the target has been saying that it does not have the message, up to the last question but this one. */
  readonly absentForMs: number;
  readonly config: AskConfig;
}

export interface Situation {
  readonly outcome: Answer;
  /** Deliveries begun, the last one included; counted from 1. */
  readonly attempt: number;
  readonly retry: RetryConfig;
  /** Undefined: the message may safely be sent twice. */
  readonly doubt?: Doubt | undefined;
  /** Its breaker has opened: it fails for everybody. */
  readonly targetIsDown: boolean;
  /** It has accepted something since the message was written: what fails now fails by its own fault. */
  readonly targetHasServed: boolean;
  /** We broke the attempt off ourselves: what failed because of that says nothing about the message or its target. */
  readonly wasCutOff?: boolean;
  readonly random?: Random;
}

/**
 * What becomes of the message. `retry`: it has failed, and waits. `wait`: it has not failed, and waits; the attempt counts. `refund`:
 * it waits, and the attempt does not count. `return`: it is handed back as if it had never been claimed. `dead`: a human has to look.
 */
export type Verdict = 'done' | 'retry' | 'wait' | 'refund' | 'return' | 'dead';

/**
 * What the outcome says about the target. `accepts`: it took a message. `judges`: it said something else of a message it was sent.
 * `replies`: it answered a question, and whether it takes messages is another matter. `broken`: it fails, even if nobody else
 * complains.
 */
export type Evidence = 'accepts' | 'judges' | 'replies' | 'fails' | 'broken' | 'none';

export interface Decision {
  readonly verdict: Verdict;
  readonly delayMs: number;
  readonly error: string | null;
  readonly evidence: Evidence;
  /** Everybody stays away from this target for so long. */
  readonly blockMs?: number;
  /** It is certain now what the target has: nothing, or this very message. */
  readonly isCertain: boolean;
  /** The target says that it has nothing (true), or something (false); undefined when it has said nothing about that. */
  readonly saysAbsent?: boolean;
  /** The questions have reached their limit, and a human has to look; said again with each further one, in case it was not heard. */
  readonly needsHuman?: true;
}

/** The one rule for what comes after an attempt. Attempts are burnt by what is wrong with a message, not with its target. */
export function decide(situation: Situation): Decision {
  const decision = whatNext({ ...situation, outcome: withBoundedWaits(situation.outcome) });
  return { ...decision, delayMs: bounded(decision.delayMs) };
}

/** Handlers say how long to wait, and may be wrong: a wait that cannot be written down would lose the message. */
function withBoundedWaits(outcome: Answer): Answer {
  switch (outcome.kind) {
    case 'later':
      return { ...outcome, afterMs: bounded(outcome.afterMs) };
    case 'unknown':
      return outcome.askAfterMs === undefined
        ? outcome
        : { ...outcome, askAfterMs: bounded(outcome.askAfterMs) };
    case 'failed':
      return outcome.retryAfterMs === undefined
        ? outcome
        : { ...outcome, retryAfterMs: bounded(outcome.retryAfterMs) };
    default:
      return outcome;
  }
}

function bounded(ms: number): number {
  return Number.isNaN(ms) ? 0 : Math.round(Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS));
}

function whatNext(situation: Situation): Decision {
  const { outcome } = situation;
  const hasFailed = outcome.kind === 'failed' || outcome.kind === 'unknown';
  if (hasFailed && situation.wasCutOff) return whenCutOff(situation, outcome.reason);
  switch (outcome.kind) {
    case 'delivered':
      return { ...finished('done', null), evidence: isQuestion(situation) ? 'replies' : 'accepts' };
    case 'refused':
      return { ...finished('dead', outcome.reason), evidence: answered(situation) };
    case 'absent':
      return whenAbsent(situation, outcome.reason);
    case 'later':
      return later(situation, outcome);
    case 'unknown':
      return situation.doubt
        ? askAgain(situation, situation.doubt, outcome.reason, 'fails', outcome.askAfterMs)
        : afterFailure(situation, { ...outcome, kind: 'failed', final: false });
    case 'failed':
      return whenFailed(situation, outcome);
    default:
      return outcome satisfies never;
  }
}

function later(situation: Situation, { afterMs, reason }: Extract<Outcome, { kind: 'later' }>): Decision {
  const { doubt, retry } = situation;
  // In doubt the delivery stays counted: it will have been the one, or its message turns out to be absent.
  if (doubt)
    return {
      ...askAgain(situation, doubt, reason, answered(situation), afterMs),
      verdict: 'wait',
      saysAbsent: false,
    };
  const delayMs = Math.max(afterMs, shortestWaitMs(retry));
  return { verdict: 'refund', delayMs, error: reason, evidence: answered(situation), isCertain: false };
}

function whenCutOff(situation: Situation, reason: string): Decision {
  const isCertain = isCertainlyUnsent(situation);
  return { verdict: 'return', delayMs: 0, error: reason, evidence: 'none', isCertain };
}

/** A delivery of which nothing has left. Of a question this proves nothing: the message may have left before. */
function isCertainlyUnsent(situation: Situation): boolean {
  const { outcome } = situation;
  return !isQuestion(situation) && outcome.kind === 'failed' && outcome.processed === 'no';
}

function isQuestion({ doubt }: Situation): boolean {
  return doubt !== undefined && doubt.asks > 0;
}

function answered(situation: Situation): Evidence {
  return isQuestion(situation) ? 'replies' : 'judges';
}

function whenFailed(situation: Situation, outcome: Extract<Outcome, { kind: 'failed' }>): Decision {
  const { doubt } = situation;
  if (!doubt || isCertainlyUnsent(situation)) return afterFailure(situation, outcome);
  const block = blockOf(situation, outcome);
  const evidence = evidenceOf(situation, outcome);
  const decision = askAgain(situation, doubt, outcome.reason, evidence, outcome.retryAfterMs);
  return { ...decision, ...block };
}

/** Nobody knows what the target has: the message is not sent again before the target has been asked. */
function askAgain(
  { random }: Situation,
  { asks, config }: Doubt,
  reason: string,
  evidence: Evidence,
  wantedMs = 0,
): Decision {
  const isLate = asks >= config.limit;
  const scheduledMs = isLate
    ? backoffMs({ baseMs: config.slowMs, factor: 1, capMs: config.slowMs }, 1, random)
    : backoffMs(config, asks + 1, random);
  return {
    verdict: 'retry',
    delayMs: Math.max(wantedMs, scheduledMs),
    error: reason,
    evidence,
    isCertain: false,
    ...(isLate && { needsHuman: true as const }),
  };
}

function whenAbsent(situation: Situation, reason: string): Decision {
  const { doubt, attempt, retry, targetHasServed } = situation;
  if (doubt && doubt.absentForMs < doubt.config.quietMs) {
    const decision = askAgain(situation, doubt, `absent so far: ${reason}`, 'replies');
    // No later than it may be believed.
    const delayMs = Math.min(decision.delayMs, doubt.config.quietMs - doubt.absentForMs);
    return { ...decision, delayMs: Math.max(delayMs, shortestWaitMs(doubt.config)), saysAbsent: true };
  }
  if (attempt >= retry.maxAttempts && targetHasServed) {
    const error = `gave up after ${attempt} attempts; the target does not have it: ${reason}`;
    return { ...finished('dead', error), evidence: 'replies' };
  }
  // What nobody's message survives is not this one's failure.
  const verdict = targetHasServed ? 'wait' : 'refund';
  return { verdict, delayMs: 0, error: reason, evidence: 'replies', isCertain: true };
}

function afterFailure(situation: Situation, outcome: Extract<Outcome, { kind: 'failed' }>): Decision {
  const { attempt, retry, targetIsDown, targetHasServed, random } = situation;
  const { blame, final, reason } = outcome;
  const evidence = evidenceOf(situation, outcome);
  if (final) return { ...finished('dead', reason), evidence };
  const block = blockOf(situation, outcome);
  const isCertain = isCertainlyUnsent(situation);
  // `Retry-After: 0` is an invitation, not a reason to spin.
  const askedMs = Math.max(outcome.retryAfterMs ?? 0, shortestWaitMs(retry));
  const delayMs = Math.max(backoffMs(retry, attempt, random), askedMs);
  if (blame === 'target' || (blame === 'either' && targetIsDown)) {
    const waitMs = Math.min(delayMs, Math.max(retry.baseMs, askedMs));
    return { verdict: 'refund', delayMs: waitMs, error: reason, evidence, isCertain, ...block };
  }
  if (attempt < retry.maxAttempts) {
    return { verdict: 'retry', delayMs, error: reason, evidence, isCertain, ...block };
  }
  if (blame === 'either' && !targetHasServed) {
    const waitMs = retry.baseMs;
    return { verdict: 'refund', delayMs: waitMs, error: reason, evidence: 'broken', isCertain, ...block };
  }
  return { ...finished('dead', `gave up after ${attempt} attempts: ${reason}`), evidence };
}

function finished(verdict: 'done' | 'dead', error: string | null) {
  return { verdict, delayMs: 0, error, isCertain: true };
}

function evidenceOf(situation: Situation, outcome: Extract<Outcome, { kind: 'failed' }>): Evidence {
  if (outcome.answered) return answered(situation);
  return outcome.blame === 'message' ? 'none' : 'fails';
}

/** A target that is up and asks for patience gets it from everybody; one that says not how much, as much as this message. */
function blockOf(
  { retry, attempt, random }: Situation,
  { retryAfterMs, blame, answered }: Extract<Outcome, { kind: 'failed' }>,
): { readonly blockMs?: number } {
  if (retryAfterMs !== undefined) return { blockMs: Math.max(retryAfterMs, shortestWaitMs(retry)) };
  if (answered && blame === 'target') return { blockMs: backoffMs(retry, attempt, random) };
  return {};
}
