import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type ConnectionPool } from 'mssql';
import { parseDatabaseUrl, type SqlServerUrl } from '../database-url.ts';
import { applyScripts, oneConnection, readScripts, type SchemaScript } from '../schema-scripts.ts';
import { readTables } from './script-reader.ts';
import { SCRIPTS_FOLDER } from './scripts-folder.ts';

/** A database nobody else uses until it is released, or until its process dies. */
export interface LeasedDatabase {
  readonly databaseUrl: string;
  release(): Promise<void>;
}

const SLOTS = 32;
/** As many as test files usually run at once. */
const FIRST_SLOTS = ['T1', 'T2', 'T3', 'T4', 'E1', 'E2'];
const SERIAL_WAIT_MS = 600_000;

/**
 * Test files run in parallel, in several processes: each takes the first database `NAME_T<n>` no other is using and
 * brings it to the scripts' state. Without the right to create databases the files share one, one after the other.
 */
export async function leaseMigratedDatabase(testDatabaseUrl: string): Promise<LeasedDatabase> {
  const scripts = readScripts(SCRIPTS_FOLDER);
  const keeper = await connect(testDatabaseUrl);
  try {
    if (!(await mayCreateDatabases(keeper))) {
      await lock(keeper, 'malote-test', SERIAL_WAIT_MS);
      await applyScripts(testDatabaseUrl, scripts);
      return { databaseUrl: testDatabaseUrl, release: () => keeper.close() };
    }
    const databaseUrl = await takeSlot(keeper, testDatabaseUrl, 'T');
    await bringToState(databaseUrl, scripts);
    return { databaseUrl, release: () => keeper.close() };
  } catch (error) {
    await keeper.close();
    throw error;
  }
}

/** A database without any table, for specs about the scripts themselves. */
export async function leaseEmptyDatabase(testDatabaseUrl: string): Promise<LeasedDatabase> {
  const keeper = await connect(testDatabaseUrl);
  try {
    const databaseUrl = await takeSlot(keeper, testDatabaseUrl, 'E');
    await dropTables(databaseUrl, await tablesIn(databaseUrl));
    return { databaseUrl, release: () => keeper.close() };
  } catch (error) {
    await keeper.close();
    throw error;
  }
}

async function takeSlot(keeper: ConnectionPool, testDatabaseUrl: string, kind: 'T' | 'E'): Promise<string> {
  const { database } = sqlServerUrl(testDatabaseUrl);
  await createFirstSlots(keeper, database);
  for (let slot = 1; slot <= SLOTS; slot += 1) {
    const name = `${database}_${kind}${slot}`;
    if (!(await tryLock(keeper, `malote-test-${name}`, 0))) continue;
    await createMissing(keeper, name);
    const url = new URL(testDatabaseUrl);
    url.pathname = `/${encodeURIComponent(name)}`;
    return url.href;
  }
  throw new Error(`All ${SLOTS} test databases of ${database} are in use`);
}

/** Before anybody uses one: to create a database makes Babelfish confuse the connections to all others. */
async function createFirstSlots(keeper: ConnectionPool, database: string): Promise<void> {
  const resource = 'malote-test-create';
  await lock(keeper, resource, SERIAL_WAIT_MS);
  for (const slot of FIRST_SLOTS) await createMissing(keeper, `${database}_${slot}`);
  await keeper.request().batch(`EXEC sp_releaseapplock @Resource = '${resource}', @LockOwner = 'Session';`);
}

async function createMissing(keeper: ConnectionPool, name: string): Promise<void> {
  if (!(await exists(keeper, name))) await keeper.request().batch(`CREATE DATABASE [${name}]`);
}

/**
 * Tables that other versions of the scripts made, or that a killed test left behind, are made anew. The databases
 * themselves stay.
 */
async function bringToState(databaseUrl: string, scripts: readonly SchemaScript[]): Promise<void> {
  const fingerprint = `t_${createHash('sha256').update(JSON.stringify(scripts)).digest('hex').slice(0, 16)}`;
  const expected = [...readTables(scripts).keys(), fingerprint].map((name) => name.toLowerCase()).sort();
  const found = await tablesIn(databaseUrl);
  if (isDeepStrictEqual(found, expected)) return;
  await dropTables(databaseUrl, found);
  await applyScripts(databaseUrl, [
    ...scripts,
    { version: 0, name: 'fingerprint', sql: `CREATE TABLE dbo.${fingerprint} (Id INT)` },
  ]);
}

async function tablesIn(databaseUrl: string): Promise<string[]> {
  const pool = await connect(databaseUrl);
  try {
    const { recordset } = await pool
      .request()
      .batch<{ Name: string }>('SELECT name AS [Name] FROM sys.tables');
    return recordset.map(({ Name }) => Name.toLowerCase()).sort();
  } finally {
    await pool.close();
  }
}

/** A table that is referred to goes once those that refer to it are gone. */
async function dropTables(databaseUrl: string, tables: readonly string[]): Promise<void> {
  const pool = await connect(databaseUrl);
  try {
    for (let left = tables; left.length > 0;) {
      const refused: string[] = [];
      let reason: unknown;
      for (const table of left) {
        try {
          await pool.request().batch(`DROP TABLE dbo.[${table}]`);
        } catch (error) {
          refused.push(table);
          reason = error;
        }
      }
      if (refused.length === left.length) throw reason;
      left = refused;
    }
  } finally {
    await pool.close();
  }
}

async function exists(keeper: ConnectionPool, database: string): Promise<boolean> {
  const { recordset } = await keeper
    .request()
    .batch<{ Id: number | null }>(`SELECT DB_ID('${database}') AS [Id]`);
  return typeof recordset[0]?.Id === 'number';
}

async function mayCreateDatabases(keeper: ConnectionPool): Promise<boolean> {
  const { recordset } = await keeper
    .request()
    .batch<{ Allowed: number }>(`SELECT HAS_PERMS_BY_NAME(NULL, NULL, 'CREATE ANY DATABASE') AS [Allowed]`);
  return recordset[0]?.Allowed === 1;
}

async function lock(keeper: ConnectionPool, resource: string, waitMs: number): Promise<void> {
  if (!(await tryLock(keeper, resource, waitMs))) throw new Error('The test database stayed busy');
}

async function tryLock(keeper: ConnectionPool, resource: string, waitMs: number): Promise<boolean> {
  const { recordset } = await keeper
    .request()
    .batch<{ Result: number }>(
      `DECLARE @result INT; EXEC @result = sp_getapplock @Resource = '${resource}', @LockMode = 'Exclusive', ` +
        `@LockOwner = 'Session', @LockTimeout = ${waitMs}; SELECT @result AS [Result];`,
    );
  return (recordset[0]?.Result ?? -1) >= 0;
}

function connect(databaseUrl: string): Promise<ConnectionPool> {
  return oneConnection(sqlServerUrl(databaseUrl)).connect();
}

function sqlServerUrl(databaseUrl: string): SqlServerUrl {
  const url = parseDatabaseUrl(databaseUrl);
  if (url.engine === 'sqlite')
    throw new Error('TEST_DATABASE_URL names a SQL Server; SQLite is always tested');
  return url;
}
