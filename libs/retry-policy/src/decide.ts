import { backoffMs, type Random, shortestWaitMs } from './backoff.ts';
import type { Classification, Processed } from './classification.ts';
import { parseRetryAfter } from './retry-after.ts';
import type { RetryConfig } from './retry-config.ts';

export type Decision =
  | { readonly kind: 'done'; readonly alreadyProcessed: boolean }
  | {
      readonly kind: 'retry';
      readonly afterMs: number;
      readonly processed: Processed;
      readonly reason: string;
    }
  | { readonly kind: 'final'; readonly processed: Processed; readonly reason: string }
  /**
   * Ask the target what became of the request before sending it again. Once `escalate` is set the attempts are
   * used up: a human is told and nothing is resent; asking again after `afterMs` stays harmless.
   */
  | {
      readonly kind: 'unknown';
      readonly afterMs: number;
      readonly escalate: boolean;
      readonly reason: string;
    };

export interface Situation {
  readonly classification: Classification;
  /** The attempt that was just made, counted from 1. */
  readonly attempt: number;
  readonly config: RetryConfig;
  readonly now: Date;
  readonly random?: Random;
}

export function decide({ classification, attempt, config, now, random }: Situation): Decision {
  const exhausted = attempt >= config.maxAttempts;
  const gaveUp = (reason: string) => `gave up after ${attempt} attempts: ${reason}`;
  switch (classification.kind) {
    case 'done':
      return { kind: 'done', alreadyProcessed: classification.alreadyProcessed };
    case 'final':
      return { kind: 'final', processed: classification.processed, reason: classification.reason };
    case 'unknown': {
      const reason = exhausted ? gaveUp(classification.reason) : classification.reason;
      return { kind: 'unknown', afterMs: backoffMs(config, attempt, random), escalate: exhausted, reason };
    }
    case 'retry': {
      const { processed, reason, retryAfter } = classification;
      if (exhausted) return { kind: 'final', processed, reason: gaveUp(reason) };
      const askedMs = parseRetryAfter(retryAfter, now);
      // `Retry-After: 0` is an invitation, not a reason to spin.
      const afterMs =
        askedMs === undefined
          ? backoffMs(config, attempt, random)
          : Math.max(askedMs, shortestWaitMs(config));
      return { kind: 'retry', afterMs, processed, reason };
    }
    default:
      return classification satisfies never;
  }
}
