import { expect, it } from '@jest/globals';
import mssql from 'mssql';
import { Pool } from 'tarn';
import { QueryFailedError } from 'typeorm';
import { isTransient, isUnavailable } from './sqlserver-errors.ts';

/** What the driver's pool says when all connections are in use and none comes back in time. */
async function exhausted(): Promise<Error> {
  const pool = new Pool({
    create: () => Promise.resolve({}),
    destroy: () => undefined,
    min: 0,
    max: 1,
    acquireTimeoutMillis: 1,
  });
  const taken = await pool.acquire().promise;
  const error: unknown = await pool.acquire().promise.catch((reason: unknown) => reason);
  pool.release(taken);
  await pool.destroy();
  if (error instanceof Error) return error;
  throw new Error('the pool handed out its only connection twice');
}

it('takes an exhausted pool for a database that is not available, however deep its error is wrapped', async () => {
  const error = await exhausted();
  expect(error.name).toBe('Error');
  const wrapped = Object.assign(new mssql.RequestError(error.message, 'EREQUEST'), { originalError: error });
  for (const seen of [error, wrapped, new QueryFailedError('SELECT 1', [], wrapped)]) {
    expect(isUnavailable(seen)).toBe(true);
    expect(isTransient(seen)).toBe(false);
  }
});

it.each([undefined, null, 'text', new Error('other'), new TypeError('other')])(
  'takes nothing else for one: %p',
  (error) => {
    expect(isUnavailable(error)).toBe(false);
  },
);

it('is not led round in circles', () => {
  const error = new Error('its own cause');
  error.cause = error;
  expect(isUnavailable(error)).toBe(false);
});
