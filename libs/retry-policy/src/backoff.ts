import type { RetryConfig } from './retry-config.ts';

/** Uniform in [0, 1), as `Math.random` is. */
export type Random = () => number;

/** How waits grow: retries and questions each have one. */
export type Growth = Pick<RetryConfig, 'baseMs' | 'factor' | 'capMs'>;

/**
 * How long to wait after the given attempt, counted from 1: full jitter, so that rows which failed together do
 * not come back together. Uniform between the shortest wait and `min(capMs, baseMs * factor ** (attempt - 1))`.
 */
export function backoffMs(growth: Growth, attempt: number, random: Random = Math.random): number {
  const floor = shortestWaitMs(growth);
  const ceiling = Math.min(growth.capMs, Math.round(growth.baseMs * growth.factor ** (attempt - 1)));
  return floor + Math.floor(random() * (ceiling - floor + 1));
}

/**
 * A tenth of the base. Jitter from zero would now and then retry at once, while whatever broke is still broken;
 * a tenth costs almost none of the spread.
 */
export function shortestWaitMs({ baseMs, capMs }: Growth): number {
  return Math.ceil(Math.min(baseMs, capMs) / 10);
}
