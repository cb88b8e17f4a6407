import { AppError } from '@malote/app-error';
import { type DataSource } from 'typeorm';
import { databaseClosed } from './database-errors.ts';
import { type DatabaseUrl, parseDatabaseUrl } from './database-url.ts';
import { type Finding } from './finding.ts';
import { tableOf } from './schema/entity-table.ts';
import { SCHEMA_VERSION } from './schema-version.ts';
import { SqliteDataSource } from './sqlite/sqlite-data-source.ts';
import { fileIdentity, makeFolderOf } from './sqlite/sqlite-file.ts';
import { ensureTables } from './sqlite/sqlite-schema.ts';
import { SqliteSession } from './sqlite/sqlite-session.ts';
import { SqliteUnitOfWork } from './sqlite/sqlite-unit-of-work.ts';
import { judgeDatabase } from './sqlserver/judge-database.ts';
import { readFacts } from './sqlserver/read-facts.ts';
import { sqlServerDataSource } from './sqlserver/sqlserver-data-source.ts';
import { SqlServerUnitOfWork } from './sqlserver/sqlserver-unit-of-work.ts';
import { type UnitOfWork } from './unit-of-work.ts';

export type EntityClass = new () => object;

const CLOSE_WITHIN_MS = 10_000;

/** Connects on first use and again after the database went away, so that a service can start and wait for it. */
export abstract class Database {
  abstract readonly dataSource: DataSource;
  abstract readonly unitOfWork: UnitOfWork;

  /** The tables this process was told of. */
  constructor(readonly entities: readonly EntityClass[]) {}

  static open(databaseUrl: string, entities: readonly EntityClass[]): Database {
    const url: DatabaseUrl = parseDatabaseUrl(databaseUrl);
    return url.engine === 'sqlite'
      ? new SqliteDatabase(url.file, entities)
      : new SqlServerDatabase(sqlServerDataSource(url, [...entities]), entities);
  }

  /** Rejects with an `unavailable` error when a statement does not come back. */
  async ping(): Promise<void> {
    await this.unitOfWork.read((tx) => tx.query('SELECT 1 AS Alive'));
  }

  /** Rejects when the scripts of this release have not been applied. */
  abstract checkSchema(): Promise<void>;

  /** What somebody should know of the database before the service works with it; rejects while that cannot be asked. */
  abstract inspect(): Promise<Finding[]>;

  /**
   * For good: units of work that come later are refused, those under way are waited for, and when they take longer than this the
   * connection is closed under them.
   */
  close(withinMs = CLOSE_WITHIN_MS): Promise<void> {
    this.closing ??= this.end(withinMs);
    return this.closing;
  }

  private async end(withinMs: number): Promise<void> {
    const state = await this.unitOfWork.close(withinMs);
    this.isClosed = true;
    const disconnected = this.disconnect();
    if (state === 'idle') return disconnected;
    // A pool waits for its connections to come back, and those of units that were given up may never.
    disconnected.catch(() => undefined);
  }

  private isClosed = false;
  private closing: Promise<void> | undefined;

  protected async disconnect(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  protected refuseWhenClosed(): void {
    if (this.isClosed) throw databaseClosed();
  }
}

class SqliteDatabase extends Database {
  readonly dataSource: DataSource;
  readonly unitOfWork: UnitOfWork;
  private session: { current: SqliteSession; inode: number } | undefined;
  private existed = false;

  constructor(
    private readonly file: string,
    entities: readonly EntityClass[],
  ) {
    super(entities);
    this.dataSource = new SqliteDataSource(file, entities);
    this.unitOfWork = new SqliteUnitOfWork(() => this.connect());
  }

  /** The tables come from the entities when the file is opened: they cannot be behind. */
  async checkSchema(): Promise<void> {
    await this.ping();
  }

  /** Nobody but the services makes anything in it. */
  inspect(): Promise<Finding[]> {
    return Promise.resolve([]);
  }

  protected override async disconnect(): Promise<void> {
    this.session?.current.end();
    this.session?.current.moveLogIntoFile();
    await this.forgetSession();
  }

  /** Only units of work call this, one after the other. */
  private async connect(): Promise<SqliteSession> {
    this.refuseWhenClosed();
    if (this.existed) await this.reopenWhenReplaced();
    if (!this.session) {
      makeFolderOf(this.file);
      if (!this.dataSource.isInitialized) await this.dataSource.initialize();
      const current = new SqliteSession(this.dataSource);
      await ensureTables(this.dataSource, current);
      this.session = { current, inode: fileIdentity(this.file) };
      this.existed = true;
    }
    return this.session.current;
  }

  private async reopenWhenReplaced(): Promise<void> {
    if (fileIdentity(this.file) !== this.session?.inode) await this.forgetSession();
  }

  private async forgetSession(): Promise<void> {
    this.session = undefined;
    await super.disconnect();
  }
}

class SqlServerDatabase extends Database {
  readonly unitOfWork: UnitOfWork;
  private connecting: Promise<DataSource> | undefined;

  constructor(
    readonly dataSource: DataSource,
    entities: readonly EntityClass[],
  ) {
    super(entities);
    this.unitOfWork = new SqlServerUnitOfWork(() => this.connect());
  }

  async checkSchema(): Promise<void> {
    const applied = await this.unitOfWork.read(async (tx) => {
      const [history] = await tx.query<{ Present: number }>(
        `SELECT CASE WHEN OBJECT_ID('dbo.TB_SCHEMA_HISTORY') IS NULL THEN 0 ELSE 1 END AS [Present]`,
      );
      if (!history?.Present) return 0;
      // Counted: a tool that goes on after an error applies the last script without the one before it.
      const [scripts] = await tx.query<{ Applied: number }>(
        'SELECT COUNT(*) AS [Applied] FROM dbo.TB_SCHEMA_HISTORY WHERE Version <= @version',
        { version: SCHEMA_VERSION },
      );
      return scripts?.Applied ?? 0;
    });
    const needed = SCHEMA_VERSION + 1;
    if (applied < needed) {
      throw new AppError(
        'unavailable',
        'schema-outdated',
        `Only ${applied} of ${needed} schema scripts have been applied`,
        { retryAfterSeconds: 30 },
      );
    }
  }

  /** Outside of any unit of work: a query that fails says something of that query, and not that the database is away. */
  async inspect(): Promise<Finding[]> {
    await this.checkSchema();
    const dataSource = await this.connect();
    const tables = dataSource.entityMetadatas.map(tableOf);
    if (tables.length === 0) return [];
    const names = tables.map(({ name }) => name);
    const facts = await readFacts((sql) => dataSource.query(sql), names);
    // Unless it is: then it is asked again when it is back.
    if (Object.values(facts).some((fact) => 'unknown' in fact)) await this.ping();
    return judgeDatabase(facts, tables);
  }

  protected override async disconnect(): Promise<void> {
    await this.connecting?.catch(() => undefined);
    await super.disconnect();
  }

  private async connect(): Promise<DataSource> {
    this.refuseWhenClosed();
    if (this.dataSource.isInitialized) return this.dataSource;
    this.connecting ??= this.dataSource.initialize().finally(() => {
      this.connecting = undefined;
    });
    return this.connecting;
  }
}
