import { backoffMs, type RetryConfig, shortestWaitMs } from '@malote/retry-policy';
import { type Settlement } from './lane-sql.ts';
import { type LaneMessage } from './lane.ts';
import { type Outcome } from './outcome.ts';
import { type TargetGate } from './target-gate.ts';

/** Turns what happened into what the row becomes. Attempts are burnt by what is wrong with a message, not with its target. */
export class Verdicts {
  constructor(
    private readonly gate: TargetGate,
    private readonly retry: RetryConfig,
  ) {}

  /** `openCount` is that of the target's breaker when the message was claimed. */
  of(message: LaneMessage, target: string, openCount: number, outcome: Outcome): Settlement {
    if (outcome.kind === 'delivered') {
      this.gate.delivered(target);
      return { message, verdict: 'done', delayMs: 0, error: null };
    }
    const { reason, blame, final } = outcome;
    // `Retry-After: 0` is an invitation, not a reason to spin.
    const retryAfterMs =
      outcome.retryAfterMs === undefined
        ? undefined
        : Math.max(outcome.retryAfterMs, shortestWaitMs(this.retry));
    if (final) return { message, verdict: 'dead', delayMs: 0, error: reason };
    if (blame !== 'message') this.gate.failed(target, openCount, retryAfterMs);
    const delayMs = Math.max(backoffMs(this.retry, message.attempt), retryAfterMs ?? 0);
    if (blame === 'target' || (blame === 'either' && this.gate.isOpen(target))) {
      return {
        message,
        verdict: 'refund',
        delayMs: Math.min(delayMs, retryAfterMs ?? this.retry.baseMs),
        error: reason,
      };
    }
    if (message.attempt < this.retry.maxAttempts)
      return { message, verdict: 'retry', delayMs, error: reason };
    if (blame === 'either' && !this.gate.hasSucceededSince(target, message.createdAt)) {
      this.gate.trip(target, openCount);
      return { message, verdict: 'refund', delayMs: this.retry.baseMs, error: reason };
    }
    return {
      message,
      verdict: 'dead',
      delayMs: 0,
      error: `gave up after ${message.attempt} attempts: ${reason}`,
    };
  }
}
