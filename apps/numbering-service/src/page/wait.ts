import { text } from './messages.ts';

const MINUTE = 60;

/** What `Retry-After` says, in words. */
export function waitOf(retryAfter: unknown): string | undefined {
  const seconds = Number(retryAfter);
  if (retryAfter === undefined || !Number.isFinite(seconds) || seconds <= 0) return undefined;
  return seconds < 2 * MINUTE
    ? text.problem.seconds(Math.ceil(seconds))
    : text.problem.minutes(Math.ceil(seconds / MINUTE));
}
