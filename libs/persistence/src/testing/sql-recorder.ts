import { sqlServerDialect } from '../sqlserver/sqlserver-dialect.ts';
import { type SqlParameters, type SqlRow, type Tx } from '../tx.ts';
import { type TransactionMode, UnitOfWork } from '../unit-of-work.ts';

export interface Said {
  readonly sql: string;
  readonly parameters: SqlParameters;
}

/** Takes down what would be said to SQL Server, and finds the same rows whatever it is asked; there is no server behind it. */
export class SqlRecorder extends UnitOfWork {
  readonly said: Said[] = [];
  readonly dialect = sqlServerDialect;

  constructor(private readonly rows: readonly SqlRow[] = []) {
    super();
  }

  protected transact<T>(_mode: TransactionMode, work: (tx: Tx) => Promise<T>): Promise<T> {
    const answer = (sql: string, parameters: SqlParameters = {}) => {
      this.said.push({ sql, parameters });
      return Promise.resolve(this.rows);
    };
    const tx = {
      dialect: this.dialect,
      query: answer,
      first: async (sql: string, parameters?: SqlParameters) => (await answer(sql, parameters))[0],
      execute: async (sql: string, parameters?: SqlParameters) => (await answer(sql, parameters)).length,
      afterCommit: () => undefined,
    } as unknown as Tx;
    return work(tx);
  }
}
