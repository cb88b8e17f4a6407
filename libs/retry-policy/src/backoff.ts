import type { RetryConfig } from './retry-config.ts';

/** Uniform in [0, 1), as `Math.random` is. */
export type Random = () => number;

/**
 * How long to wait after the given attempt, counted from 1: full jitter, so that rows which failed together do
 * not come back together. Uniform between the shortest wait and `min(capMs, baseMs * factor ** (attempt - 1))`.
 */
export function backoffMs(config: RetryConfig, attempt: number, random: Random = Math.random): number {
  const floor = shortestWaitMs(config);
  const ceiling = Math.min(config.capMs, Math.round(config.baseMs * config.factor ** (attempt - 1)));
  return floor + Math.floor(random() * (ceiling - floor + 1));
}

/**
 * A tenth of the base. Jitter from zero would now and then retry at once, while whatever broke is still broken;
 * a tenth costs almost none of the spread.
 */
export function shortestWaitMs({ baseMs, capMs }: RetryConfig): number {
  return Math.ceil(Math.min(baseMs, capMs) / 10);
}
