import { isDatabaseClosed, isDatabaseOutage } from '@malote/persistence';

/** Whether nothing else would fare better. What somebody keeps locked, or a handler cannot reach, is the trouble of those rows only. */
export function concernsEverything(error: unknown): boolean {
  return isDatabaseOutage(error) || isDatabaseClosed(error);
}
