import { AppError } from '@malote/app-error';
import { MAX_NAME, MIN_NAME } from './user-rules.ts';

const WANTED = {
  email: 'must be an e-mail address',
  name: `must have ${MIN_NAME} to ${MAX_NAME} characters`,
} as const;

export function invalidUser(field: keyof typeof WANTED): AppError {
  const message = `${field} ${WANTED[field]}`;
  return new AppError('invalid', `invalid-${field}`, message, {
    fields: [{ pointer: `/${field}`, code: `invalid-${field}`, message }],
  });
}

export function emailTaken(cause?: unknown): AppError {
  return new AppError('conflict', 'email-taken', 'Another user has this e-mail address', { cause });
}

export function userUnknown(): AppError {
  return new AppError('not-found', 'user-unknown', 'There is no such user');
}

export function userInactive(): AppError {
  return new AppError('conflict', 'user-inactive', 'The user is inactive; activate them first');
}

export function notYourself(): AppError {
  return new AppError('conflict', 'not-yourself', 'Nobody can do this to themselves; another admin can');
}

export function lastAdmin(): AppError {
  return new AppError('conflict', 'last-admin', 'There would be no active admin left');
}
