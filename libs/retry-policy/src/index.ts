export { backoffMs, type Random, shortestWaitMs } from './backoff.ts';
export type { Blame, Classification, Fault, Processed } from './classification.ts';
export { classify } from './classify.ts';
export { type Decision, decide, type Situation } from './decide.ts';
export { MAX_RETRY_AFTER_MS, parseRetryAfter } from './retry-after.ts';
export { FISCAL_RETRY, OUTBOX_RETRY, type RetryConfig } from './retry-config.ts';
