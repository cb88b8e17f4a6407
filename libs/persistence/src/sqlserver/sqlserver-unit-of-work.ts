import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource, type QueryRunner } from 'typeorm';
import { type SqlParameters, toMssqlParameter, type Tx } from '../tx.ts';
import { tellListeners, type TransactionMode, UnitOfWork } from '../unit-of-work.ts';
import { sqlServerDialect } from './sqlserver-dialect.ts';
import { BeatenToKey, isTransient } from './sqlserver-errors.ts';

const MAX_RUNS = 6;
/** No run begins later than this. After one more wait for a lock the unit has given up, about ten seconds after it began. */
const RUN_AGAIN_WITHIN_MS = 6_000;

/** The passing of time; specs have their own. */
export interface Time {
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

const realTime: Time = { now: () => performance.now(), sleep };

export class SqlServerUnitOfWork extends UnitOfWork {
  readonly dialect = sqlServerDialect;

  constructor(
    private readonly connect: () => Promise<DataSource>,
    private readonly time: Time = realTime,
  ) {
    super();
  }

  protected async transact<T>(mode: TransactionMode, work: (tx: Tx) => Promise<T>): Promise<T> {
    const dataSource = await this.connect();
    const latest = this.time.now() + RUN_AGAIN_WITHIN_MS;
    for (let run = 1; ; run += 1) {
      try {
        return await this.runOnce(dataSource, mode, work);
      } catch (error) {
        if (!isTransient(error)) throw error;
        // A key that is still in the way is another one than was looked for.
        if (run === MAX_RUNS || this.time.now() > latest)
          throw error instanceof BeatenToKey ? error.duplicate : error;
        // Deadlock victims that come back at the same moment meet again.
        await this.time.sleep(Math.random() * 20 * 2 ** run);
      }
    }
  }

  private async runOnce<T>(
    dataSource: DataSource,
    mode: TransactionMode,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const runner = dataSource.createQueryRunner();
    const listeners: (() => void)[] = [];
    const tx = transactionOn(runner, listeners);
    let result: T;
    try {
      // At READ COMMITTED a transaction adds nothing to reads, and costs two round trips.
      result = mode === 'read' ? await work(tx) : await inTransaction(runner, () => work(tx));
    } finally {
      await runner.release();
    }
    tellListeners(listeners);
    return result;
  }
}

async function inTransaction<T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> {
  // Named on purpose: a pooled connection may carry the isolation level of its last user.
  await runner.startTransaction('READ COMMITTED');
  try {
    const result = await work();
    await runner.commitTransaction();
    return result;
  } catch (error) {
    await rollBack(runner);
    throw error;
  }
}

async function rollBack(runner: QueryRunner): Promise<void> {
  try {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
  } catch {
    // The server has already rolled back (deadlock victim, lost connection); the first error is the one that counts.
  }
}

function transactionOn(runner: QueryRunner, listeners: (() => void)[]): Tx {
  const send = (sql: string, parameters: SqlParameters) => {
    const [text, values] = positional(sql, parameters);
    return runner.query(text, values, true);
  };
  const query = async (sql: string, parameters: SqlParameters = {}) =>
    (await send(sql, parameters)).records as object[];
  return {
    dialect: sqlServerDialect,
    entities: runner.manager,
    query,
    first: async (sql: string, parameters: SqlParameters = {}) => (await query(sql, parameters))[0],
    execute: async (sql: string, parameters: SqlParameters = {}) =>
      (await send(sql, parameters)).affected ?? 0,
    afterCommit: (listener: () => void) => listeners.push(listener),
  } as unknown as Tx;
}

/** TypeORM numbers its parameters (`@0`); ours have names. Names that are no parameter are T-SQL variables. */
export function positional(sql: string, parameters: SqlParameters): [string, unknown[]] {
  const names = Object.keys(parameters);
  const text = sql.replace(/(?<!@)@(\w+)/g, (whole, name: string) => {
    const index = names.indexOf(name);
    return index < 0 ? whole : `@${index}`;
  });
  return [text, Object.values(parameters).map(toMssqlParameter)];
}
