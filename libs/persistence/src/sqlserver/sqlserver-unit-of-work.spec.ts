import { expect, it } from '@jest/globals';
import { type DataSource, QueryFailedError } from 'typeorm';
import { type Tx, varchar } from '../tx.ts';
import { positional, SqlServerUnitOfWork } from './sqlserver-unit-of-work.ts';

/** Stands in for the driver: the server's part of the conversation is a list of errors to raise, at commit or by a statement. */
function server(commitErrors: (Error | undefined)[], statementErrors: (Error | undefined)[] = []) {
  const log: string[] = [];
  const time = { elapsedMs: 0 };
  const runner = {
    isTransactionActive: true,
    manager: {},
    startTransaction: (level: string) => Promise.resolve(log.push(`begin ${level}`)),
    query: (sql: string) => {
      const error = statementErrors.shift();
      log.push(sql);
      return error ? Promise.reject(error) : Promise.resolve({ records: [{ Id: '7' }], affected: 1 });
    },
    commitTransaction: () => {
      const error = commitErrors.shift();
      log.push(error ? 'commit refused' : 'commit');
      return error ? Promise.reject(error) : Promise.resolve();
    },
    rollbackTransaction: () => Promise.resolve(log.push('rollback')),
    release: () => Promise.resolve(),
  };
  const dataSource = { createQueryRunner: () => runner } as unknown as DataSource;
  const uow = new SqlServerUnitOfWork(() => Promise.resolve(dataSource), {
    now: () => time.elapsedMs,
    sleep: (ms) => Promise.resolve((time.elapsedMs += ms)),
  });
  return { log, time, uow };
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

it('reads without a transaction, and reads again what was a deadlock victim', async () => {
  const { log, uow } = server([], [failure(1205)]);
  const found = await uow.read((tx) => tx.query('SELECT 1 AS One'));
  expect(found).toEqual([{ Id: '7' }]);
  expect(log).toEqual(['SELECT 1 AS One', 'SELECT 1 AS One']);
});

it('gives up on a deadlock that never ends and says the database is unavailable', async () => {
  const { uow } = server(Array.from({ length: 20 }, () => failure(1205)));
  let runs = 0;
  await expect(uow.run(() => Promise.resolve((runs += 1)))).rejects.toMatchObject({ kind: 'unavailable' });
  expect(runs).toBe(6);
});

it.each([1222, 51222])('gives up on locks that stay taken (%i) after ten seconds in all', async (number) => {
  const { time, uow } = server([]);
  let runs = 0;
  const work = () => {
    runs += 1;
    time.elapsedMs += 5_000;
    return Promise.reject(failure(number));
  };
  await expect(uow.run(work)).rejects.toMatchObject({ kind: 'unavailable', code: 'database-busy' });
  expect(runs).toBe(2);
  expect(time.elapsedMs).toBeLessThan(10_500);
});

const insertOnce = (tx: Tx): Promise<unknown> =>
  tx.dialect.insertOnce(tx, 'TB_SAMPLE', { Code: varchar('A', 20) }, 'Code');
const insertAllOnce = (tx: Tx): Promise<unknown> =>
  tx.dialect.insertAllOnce(tx, 'TB_SAMPLE', [{ Code: varchar('A', 20) }], 'Code', () => ({}));

it.each([
  ['one row', insertOnce, 2627],
  ['many rows', insertAllOnce, 2601],
])('begins again when another transaction was quicker to insert the key: %s', async (_, insert, number) => {
  const { log, uow } = server([], [failure(number)]);
  await uow.run(insert);
  expect(log.map((line) => line.replace(/ INTO.*/, ''))).toEqual([
    'begin READ COMMITTED',
    'INSERT',
    'rollback',
    'begin READ COMMITTED',
    'INSERT',
    'commit',
  ]);
});

it('says which key is in the way when it is not the one that was looked for', async () => {
  const duplicate = failure(2627);
  const { uow } = server(
    [],
    Array.from({ length: 10 }, () => duplicate),
  );
  await expect(uow.run(insertOnce)).rejects.toBe(duplicate);
});

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
