import { expect, it } from '@jest/globals';
import { type DataSource, QueryFailedError } from 'typeorm';
import { varchar } from '../tx.ts';
import { positional, SqlServerUnitOfWork } from './sqlserver-unit-of-work.ts';

/** Stands in for the driver: the server's part of the conversation is a list of errors to raise at commit. */
function server(commitErrors: (Error | undefined)[]) {
  const log: string[] = [];
  const runner = {
    isTransactionActive: true,
    manager: {},
    startTransaction: (level: string) => Promise.resolve(log.push(`begin ${level}`)),
    commitTransaction: () => {
      const error = commitErrors.shift();
      log.push(error ? 'commit refused' : 'commit');
      return error ? Promise.reject(error) : Promise.resolve();
    },
    rollbackTransaction: () => Promise.resolve(log.push('rollback')),
    release: () => Promise.resolve(),
  };
  const dataSource = { createQueryRunner: () => runner } as unknown as DataSource;
  return { log, uow: new SqlServerUnitOfWork(() => Promise.resolve(dataSource)) };
}

const failure = (number: number) =>
  new QueryFailedError('UPDATE', [], Object.assign(new Error(`error ${number}`), { number }));

it.each([1205, 1222, 3960])('re-runs the whole callback on error %i and counts the runs', async (number) => {
  const { log, uow } = server([failure(number), failure(number), undefined]);
  let runs = 0;
  await expect(uow.run(() => Promise.resolve((runs += 1)))).resolves.toBe(3);
  expect(log.filter((line) => line === 'begin READ COMMITTED')).toHaveLength(3);
  expect(log.at(-1)).toBe('commit');
});

it('gives up on a deadlock that never ends and says the database is unavailable', async () => {
  const { uow } = server(Array.from({ length: 20 }, () => failure(1205)));
  let runs = 0;
  await expect(uow.run(() => Promise.resolve((runs += 1)))).rejects.toMatchObject({ kind: 'unavailable' });
  expect(runs).toBe(6);
}, 20_000);

it('never re-runs what is not transient, nor a commit whose answer was lost', async () => {
  for (const error of [failure(547), Object.assign(new Error('socket'), { code: 'ESOCKET' })]) {
    const { uow } = server([error]);
    let runs = 0;
    await expect(uow.run(() => Promise.resolve((runs += 1)))).rejects.toThrow();
    expect(runs).toBe(1);
  }
});

it.each(['ESOCKET', 'ECONNCLOSED', 'EINVALIDSTATE', 'EABORT'])(
  'says the database is unavailable when the connection is lost in the middle (%s)',
  async (code) => {
    const { log, uow } = server([]);
    const lost = new QueryFailedError('UPDATE', [], Object.assign(new Error('lost'), { code, number: code }));
    await expect(uow.run(() => Promise.reject(lost))).rejects.toMatchObject({ kind: 'unavailable' });
    expect(log).not.toContain('commit');
  },
);

it('numbers named parameters and leaves T-SQL variables alone', () => {
  const [sql, values] = positional('SELECT @b, @a, @local, @@ROWCOUNT, @ab', { a: 1, b: varchar('x', 5) });
  expect(sql).toBe('SELECT @1, @0, @local, @@ROWCOUNT, @ab');
  expect(values).toMatchObject([1, { value: 'x', type: 'varchar', params: [5] }]);
});
