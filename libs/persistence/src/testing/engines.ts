import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe } from '@jest/globals';
import { type EntityMetadata } from 'typeorm';
import { Database, type EntityClass } from '../database.ts';
import { applyScripts, readScripts } from '../schema-scripts.ts';
import { type UnitOfWork } from '../unit-of-work.ts';
import { readTables } from './script-reader.ts';
import { SCRIPTS_FOLDER } from './scripts-folder.ts';
import { leaseMigratedDatabase, type LeasedDatabase } from './sqlserver-lease.ts';

export interface EngineOptions {
  readonly entities: readonly EntityClass[];
  /** T-SQL batches that create the tables of entities no script knows; SQLite makes them from the entities. */
  readonly extraSql?: readonly string[];
}

/** Usable inside hooks and tests; the database is open from `beforeAll` to `afterAll`. */
export interface TestEngine {
  readonly name: 'sqlite' | 'sqlserver';
  readonly databaseUrl: string;
  readonly database: Database;
  readonly uow: UnitOfWork;
}

/** Leasing waits for other test files when the server allows no databases of our own. */
const OPEN_TIMEOUT_MS = 620_000;

/** Runs the same tests on SQLite and, when TEST_DATABASE_URL is set, on SQL Server; each begins with empty tables. */
export function describeEachEngine(
  name: string,
  options: EngineOptions,
  suite: (engine: TestEngine) => void,
): void {
  const testDatabaseUrl = process.env.TEST_DATABASE_URL;
  describeEngine(name, 'sqlite', () => Promise.resolve(temporaryFile()), options, suite);
  if (!testDatabaseUrl) return;
  describeEngine(name, 'sqlserver', () => leaseMigratedDatabase(testDatabaseUrl), options, suite);
}

function describeEngine(
  name: string,
  engineName: TestEngine['name'],
  lease: () => Promise<LeasedDatabase>,
  options: EngineOptions,
  suite: (engine: TestEngine) => void,
): void {
  describe(`${name} on ${engineName}`, () => {
    let leased: LeasedDatabase | undefined;
    let database: Database | undefined;

    beforeAll(async () => {
      leased = await lease();
      database = Database.open(leased.databaseUrl, options.entities);
      await database.checkSchema();
      if (engineName === 'sqlserver') {
        await run(leased.databaseUrl, [...dropExtraTables(database), ...(options.extraSql ?? [])]);
      }
    }, OPEN_TIMEOUT_MS);

    beforeEach(async () => {
      if (database && leased) await emptyTables(database, leased.databaseUrl);
    });

    afterAll(async () => {
      const drops = database?.dataSource.isInitialized ? dropExtraTables(database) : [];
      await database?.close();
      if (engineName === 'sqlserver' && leased) await run(leased.databaseUrl, drops);
      await leased?.release();
    });

    suite({
      name: engineName,
      get databaseUrl() {
        return opened(leased).databaseUrl;
      },
      get database() {
        return opened(database);
      },
      get uow() {
        return opened(database).unitOfWork;
      },
    });
  });
}

function opened<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The test database is open inside hooks and tests only');
  return value;
}

function temporaryFile(): LeasedDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'malote-test-'));
  return {
    databaseUrl: `sqlite:${join(folder, 'test.db')}`,
    release: () => {
      rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}

async function run(databaseUrl: string, batches: readonly string[]): Promise<void> {
  await applyScripts(
    databaseUrl,
    batches.map((sql, version) => ({ version, name: 'extraSql', sql })),
  );
}

/** Tables no script knows would get in the way of the next file that uses this database. */
function dropExtraTables(database: Database): string[] {
  const scripted = readTables(readScripts(SCRIPTS_FOLDER));
  return childrenFirst(database)
    .filter(({ tableName }) => !scripted.has(tableName))
    .map(({ tableName }) => `DROP TABLE IF EXISTS dbo.${tableName}`);
}

async function emptyTables(database: Database, databaseUrl: string): Promise<void> {
  const { dialect } = database.unitOfWork;
  const deletes = childrenFirst(database).map(({ tableName }) => `DELETE FROM ${dialect.table(tableName)}`);
  if (dialect.name === 'sqlserver') {
    // A connection of its own: on Babelfish one that TypeORM has inserted over forgets how cascades work.
    await run(databaseUrl, [deletes.join(';\n')]);
    return;
  }
  await database.unitOfWork.run(async (tx) => {
    for (const sql of deletes) await tx.execute(sql);
  });
}

function childrenFirst(database: Database): EntityMetadata[] {
  const depth = (entity: EntityMetadata): number =>
    Math.max(
      0,
      ...entity.foreignKeys
        .filter(({ referencedEntityMetadata }) => referencedEntityMetadata !== entity)
        .map(({ referencedEntityMetadata }) => depth(referencedEntityMetadata) + 1),
    );
  return [...database.dataSource.entityMetadatas].sort((a, b) => depth(b) - depth(a));
}
