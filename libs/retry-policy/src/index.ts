export { backoffMs, type Growth, type Random, shortestWaitMs } from './backoff.ts';
export { classify } from './classify.ts';
export { decide, type Decision, type Doubt, type Evidence, type Situation, type Verdict } from './decide.ts';
export type { Fault } from './fault.ts';
export { type Answer, type Blame, DELIVERED, type Outcome, type Processed, refusal } from './outcome.ts';
export { MAX_RETRY_AFTER_MS, parseRetryAfter } from './retry-after.ts';
export { type AskConfig, FISCAL_RETRY, OUTBOX_ASK, OUTBOX_RETRY, type RetryConfig } from './retry-config.ts';
