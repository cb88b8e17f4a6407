import { AppError } from '@malote/app-error';

const UNAVAILABLE = 'database-unavailable';
const BUSY = 'database-busy';
const CLOSED = 'database-closed';

export function databaseUnavailable(cause: unknown, message = 'The database does not answer'): AppError {
  return new AppError('unavailable', UNAVAILABLE, message, { retryAfterSeconds: 5, cause });
}

/** The database answers, but others keep what this work needs locked. */
export function databaseBusy(cause: unknown): AppError {
  return new AppError('unavailable', BUSY, 'Others keep locked what is needed here', {
    retryAfterSeconds: 5,
    cause,
  });
}

/** Whether others keep rows locked that this work needs; work on other rows may go on. */
export function isDatabaseBusy(error: unknown): boolean {
  return error instanceof AppError && error.code === BUSY;
}

export function databaseClosed(): AppError {
  return new AppError('unavailable', CLOSED, 'The service is stopping');
}

export function isDatabaseClosed(error: unknown): boolean {
  return error instanceof AppError && error.code === CLOSED;
}

/**
 * Whether an error says no more than that the database is away. `UnitOfWork.onOutage` tells that once; whoever else logs errors keeps
 * silent about it, or an outage would be a stack for every request.
 */
export function isDatabaseOutage(error: unknown): boolean {
  return error instanceof AppError && error.code === UNAVAILABLE;
}
