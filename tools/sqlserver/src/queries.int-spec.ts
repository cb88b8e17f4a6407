import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyScripts, Database, parseDatabaseUrl, readScripts } from '@malote/persistence';
import { leaseEmptyDatabase, type LeasedDatabase, SCRIPTS_FOLDER } from '@malote/persistence/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import mssql from 'mssql';
import { QUERY_CASES, QUERY_ROWS } from './query-cases.ts';

const testDatabaseUrl = process.env.TEST_DATABASE_URL ?? '';

/** As a DBA would run it: the whole file, over a connection of its own. */
async function runFile(databaseUrl: string, file: string): Promise<Record<string, unknown>[][]> {
  const url = parseDatabaseUrl(databaseUrl);
  if (url.engine === 'sqlite') throw new Error('The queries are T-SQL');
  const { host: server, port, database, username: user, password, encrypt, trustServerCertificate } = url;
  const options = { encrypt, trustServerCertificate };
  const pool = await new mssql.ConnectionPool({ server, port, database, user, password, options }).connect();
  try {
    const sql = readFileSync(join(SCRIPTS_FOLDER, 'queries', file), 'utf8');
    const { recordsets } = await pool.request().batch<Record<string, unknown>>(sql);
    return [...(recordsets as Record<string, unknown>[][])];
  } finally {
    await pool.close();
  }
}

(testDatabaseUrl ? describe : describe.skip)('the queries on SQL Server', () => {
  let leased: LeasedDatabase;

  beforeAll(async () => {
    leased = await leaseEmptyDatabase(testDatabaseUrl);
    await applyScripts(leased.databaseUrl, readScripts(SCRIPTS_FOLDER));
    const database = Database.open(leased.databaseUrl, []);
    await database.unitOfWork.run(async (tx) => {
      for (const sql of QUERY_ROWS) await tx.execute(sql);
    });
    await database.close();
  });

  afterAll(() => leased.release());

  it.each(QUERY_CASES)('$file finds what it is for', async ({ file, results }) => {
    const recordsets = await runFile(leased.databaseUrl, file);
    const found = recordsets.map((rows, result) => {
      const [column = ''] = results[result] ?? [];
      return [column, rows.map((row) => row[column])];
    });
    expect(found).toEqual(results);
  });

  const failing = QUERY_CASES.flatMap(({ file, gaveUp }) => (gaveUp ? [{ file, gaveUp }] : []));
  it.each(failing)('$file tells what gave up from what is tried again', async ({ file, gaveUp }) => {
    const [column, documents] = gaveUp;
    const rows = (await runFile(leased.databaseUrl, file)).flat();
    const dead = rows.filter(
      (row) => 'Error' === (row.Status ?? row.GatewaySendStatus) && row[column] === null,
    );
    expect(dead.map(({ BusinessDocId }) => BusinessDocId)).toEqual(documents);
  });
});
