import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '@malote/app-error';
import { type DataSource } from 'typeorm';
import { type DatabaseUrl, parseDatabaseUrl } from './database-url.ts';
import { SCHEMA_VERSION } from './schema-version.ts';
import { SqliteDataSource } from './sqlite/sqlite-data-source.ts';
import { ensureTables } from './sqlite/sqlite-schema.ts';
import { SqliteSession } from './sqlite/sqlite-session.ts';
import { fileIdentity, SqliteUnitOfWork } from './sqlite/sqlite-unit-of-work.ts';
import { sqlServerDataSource } from './sqlserver/sqlserver-data-source.ts';
import { SqlServerUnitOfWork } from './sqlserver/sqlserver-unit-of-work.ts';
import { type UnitOfWork } from './unit-of-work.ts';

export type EntityClass = new () => object;

/** Connects on first use and again after the database went away, so that a service can start and wait for it. */
export abstract class Database {
  abstract readonly dataSource: DataSource;
  abstract readonly unitOfWork: UnitOfWork;

  static open(databaseUrl: string, entities: readonly EntityClass[]): Database {
    const url: DatabaseUrl = parseDatabaseUrl(databaseUrl);
    return url.engine === 'sqlite'
      ? new SqliteDatabase(url.file, entities)
      : new SqlServerDatabase(sqlServerDataSource(url, [...entities]));
  }

  /** Rejects with an `unavailable` error when a statement does not come back. */
  async ping(): Promise<void> {
    await this.unitOfWork.read((tx) => tx.query('SELECT 1 AS Alive'));
  }

  /** Rejects when the scripts of this release have not been applied. */
  abstract checkSchema(): Promise<void>;

  async close(): Promise<void> {
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
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
    super();
    this.dataSource = new SqliteDataSource(file, entities);
    this.unitOfWork = new SqliteUnitOfWork(() => this.connect());
  }

  /** The tables come from the entities when the file is opened: they cannot be behind. */
  async checkSchema(): Promise<void> {
    await this.connect();
  }

  private async connect(): Promise<SqliteSession> {
    if (this.existed) await this.reopenWhenReplaced();
    if (!this.session) {
      mkdirSync(dirname(this.file), { recursive: true });
      if (!this.dataSource.isInitialized) await this.dataSource.initialize();
      const current = new SqliteSession(this.dataSource);
      await ensureTables(this.dataSource, current);
      this.session = { current, inode: fileIdentity(this.file) };
      this.existed = true;
    }
    return this.session.current;
  }

  private async reopenWhenReplaced(): Promise<void> {
    if (fileIdentity(this.file) === this.session?.inode) return;
    this.session = undefined;
    await this.close();
  }
}

class SqlServerDatabase extends Database {
  readonly unitOfWork: UnitOfWork;
  private connecting: Promise<DataSource> | undefined;

  constructor(readonly dataSource: DataSource) {
    super();
    this.unitOfWork = new SqlServerUnitOfWork(() => this.connect());
  }

  async checkSchema(): Promise<void> {
    const applied = await this.unitOfWork.read(async (tx) => {
      const [history] = await tx.query<{ Present: number }>(
        `SELECT CASE WHEN OBJECT_ID('dbo.TB_SCHEMA_HISTORY') IS NULL THEN 0 ELSE 1 END AS [Present]`,
      );
      if (!history?.Present) return 0;
      const [newest] = await tx.query<{ Version: number | null }>(
        'SELECT MAX(Version) AS [Version] FROM dbo.TB_SCHEMA_HISTORY',
      );
      return newest?.Version ?? 0;
    });
    if (applied < SCHEMA_VERSION) {
      throw new AppError(
        'unavailable',
        'schema-outdated',
        `Schema ${applied} is older than ${SCHEMA_VERSION}`,
        {
          retryAfterSeconds: 30,
        },
      );
    }
  }

  private connect(): Promise<DataSource> {
    if (this.dataSource.isInitialized) return Promise.resolve(this.dataSource);
    this.connecting ??= this.dataSource.initialize().finally(() => {
      this.connecting = undefined;
    });
    return this.connecting;
  }
}
