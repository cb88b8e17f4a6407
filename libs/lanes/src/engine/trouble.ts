import { AppError } from '@malote/app-error';
import { isDatabaseBusy } from '@malote/persistence';

/** Whether nothing else would fare better. What somebody keeps locked is the trouble of those rows only. */
export function concernsEverything(error: unknown): boolean {
  return error instanceof AppError && error.kind === 'unavailable' && !isDatabaseBusy(error);
}
