import { type DataSource, type QueryRunner } from 'typeorm';
import { type SqlParameters, type SqlRow, toSqliteParameter, type Tx } from '../tx.ts';
import { tellListeners } from '../unit-of-work.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { type Connection } from './sqlite-file.ts';

type Statement = ReturnType<Connection['prepare']>;

const MAX_STATEMENTS = 200;

/** How long the driver may block the event loop for a lock: not at all, SqliteUnitOfWork waits without. */
export const BLOCKING_WAIT_MS = 0;

/** The one connection of a SQLite DataSource, with its prepared statements. */
export class SqliteSession {
  readonly #connection: Connection;
  readonly #runner: QueryRunner;
  readonly #statements = new Map<string, Statement>();
  #isOver = false;

  constructor(dataSource: DataSource) {
    this.#connection = (
      dataSource.driver as unknown as { databaseConnection: Connection }
    ).databaseConnection;
    this.#runner = dataSource.createQueryRunner();
    // Tells TypeORM's `save` that the transaction is ours, so that it does not begin one of its own.
    Object.assign(this.#runner, { isTransactionActive: true });
  }

  /** The driver ends the process when it is asked this of a closed connection. */
  get inTransaction(): boolean {
    return this.#connection.open && this.#connection.inTransaction;
  }

  /** Changes with every commit over another connection; reads a counter in shared memory and no table. */
  get dataVersion(): number | undefined {
    if (!this.#connection.open) return undefined;
    return (this.#prepare('PRAGMA data_version').get({}) as { data_version: number }).data_version;
  }

  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  rollBack(): void {
    if (this.inTransaction) this.#connection.exec('ROLLBACK');
  }

  /**
   * Before the connection is closed under a unit of work. The driver keeps a closed connection alive while statements of it are:
   * its transaction would hold the lock on the file, or what is left of the unit would be written without one.
   */
  end(): void {
    this.#isOver = true;
    this.rollBack();
  }

  /** Until then the newest rows are in the log beside the file, and whoever copies the file alone copies a shell. */
  moveLogIntoFile(): void {
    try {
      this.#connection.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // A full disk, or a file that is gone: the rows stay in the log, where the next process finds them.
    }
  }

  columnsOf(table: string): string[] {
    const rows = this.#connection.prepare('SELECT name FROM pragma_table_info(@table)').all({ table });
    return (rows as { name: string }[]).map(({ name }) => name);
  }

  /** Their definitions, by name; those that SQLite made for itself have none. */
  indexesOf(table: string): Map<string, string> {
    const rows = this.#connection
      .prepare(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = @table AND sql IS NOT NULL",
      )
      .all({ table });
    return new Map((rows as { name: string; sql: string }[]).map(({ name, sql }) => [name, sql]));
  }

  /** Blocks for the lock: used once, before the first unit of work. */
  async exclusively(work: () => Promise<void>): Promise<void> {
    this.#connection.pragma('busy_timeout = 10000');
    this.exec('BEGIN IMMEDIATE');
    try {
      await work();
      this.exec('COMMIT');
    } finally {
      this.rollBack();
      this.#connection.pragma(`busy_timeout = ${BLOCKING_WAIT_MS}`);
    }
  }

  /** `revoke` makes a `tx` that escaped its unit of work fail instead of writing into somebody else's. */
  openTx(): { tx: Tx; committed: () => void; revoke: () => void } {
    const listeners: (() => void)[] = [];
    let open = true;
    const whileOpen = <T>(use: () => T): T => {
      if (!open || this.#isOver) throw new Error('This transaction has ended');
      return use();
    };
    const statement = (sql: string) => whileOpen(() => this.#prepare(sql));
    const { manager } = this.#runner;
    const tx = {
      dialect: sqliteDialect,
      get entities() {
        return whileOpen(() => manager);
      },
      // The driver is synchronous; its errors must still arrive as rejections.
      query: lift((sql, parameters) => statement(sql).all(parameters) as SqlRow[]),
      first: lift((sql, parameters) => statement(sql).get(parameters) as SqlRow | undefined),
      execute: lift((sql, parameters) => statement(sql).run(parameters).changes),
      afterCommit: (listener: () => void) => listeners.push(listener),
    } as unknown as Tx;
    return {
      tx,
      committed: () => {
        tellListeners(listeners);
      },
      revoke: () => {
        open = false;
      },
    };
  }

  #prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function lift<T>(
  run: (sql: string, parameters: Bound) => T,
): (sql: string, parameters?: SqlParameters) => Promise<T> {
  return (sql, parameters = {}) =>
    new Promise((resolve) => {
      resolve(run(sql, bind(parameters)));
    });
}

type Bound = Record<string, string | number | bigint | null>;

function bind(parameters: SqlParameters): Bound {
  const bound: Bound = {};
  for (const name of Object.keys(parameters)) bound[name] = toSqliteParameter(parameters[name] ?? null);
  return bound;
}
