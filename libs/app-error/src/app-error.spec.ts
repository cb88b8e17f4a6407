import { expect, it } from '@jest/globals';
import { AppError } from './app-error.ts';

it('carries what happened, where, and the error that caused it', () => {
  const cause = new Error('socket closed');
  const error = new AppError('unavailable', 'database-unavailable', 'The database does not answer', {
    retryAfterSeconds: 5,
    cause,
  });

  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({
    name: 'AppError',
    kind: 'unavailable',
    code: 'database-unavailable',
    fields: [],
    details: {},
    retryAfterSeconds: 5,
    cause,
  });
});
