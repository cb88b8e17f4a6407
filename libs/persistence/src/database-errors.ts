import { AppError } from '@malote/app-error';

const UNAVAILABLE = 'database-unavailable';

export function databaseUnavailable(cause: unknown, message = 'The database does not answer'): AppError {
  return new AppError('unavailable', UNAVAILABLE, message, { retryAfterSeconds: 5, cause });
}

export function databaseClosed(): AppError {
  return new AppError('unavailable', 'database-closed', 'The service is stopping');
}
