import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@malote/app-error';
import mssql from 'mssql';
import { parseDatabaseUrl, type SqlServerUrl } from './database-url.ts';

/** One `NNN_name.sql` file; `NNN` is its version. */
export interface SchemaScript {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

export interface Batch {
  readonly text: string;
  /** Line of the file on which the batch begins, from 1. */
  readonly line: number;
}

/** What a script did, in its own words (its PRINT lines); nothing when all was there already. */
export interface ScriptReport {
  readonly script: string;
  readonly messages: readonly string[];
}

const SCRIPT_NAME = /^(\d{3})_\w+\.sql$/;
const SEPARATOR = /^[ \t]*GO(?:[ \t]+(\d+))?[ \t]*;?[ \t]*\r?$/i;
const LOCK_WAIT_MS = 300_000;

export function readScripts(folder: string): SchemaScript[] {
  const names = readdirSync(folder).filter((name) => SCRIPT_NAME.test(name));
  return names.sort().map((name) => ({
    version: Number(name.slice(0, 3)),
    name,
    sql: readFileSync(join(folder, name), 'utf8'),
  }));
}

/** Cuts a script at its `GO` lines as sqlcmd does; a GO inside a comment or a string is text. */
export function splitBatches(sql: string): Batch[] {
  const lines = sql.split('\n');
  const visible = hideCommentsAndStrings(sql).split('\n');
  const batches: Batch[] = [];
  let start = 0;
  const close = (end: number, times: number) => {
    const code = visible.slice(start, end).join('\n').trim();
    const batch = { text: lines.slice(start, end).join('\n'), line: start + 1 };
    if (code !== '') batches.push(...Array.from({ length: times }, () => batch));
    start = end + 1;
  };
  visible.forEach((line, index) => {
    const separator = SEPARATOR.exec(line);
    if (separator) close(index, Number(separator[1] ?? 1));
  });
  close(lines.length, 1);
  return batches;
}

/** Runs the scripts in order over one connection, alone: a second deployment waits until the first is done. */
export async function applyScripts(
  databaseUrl: string,
  scripts: readonly SchemaScript[],
  onApplied: (report: ScriptReport) => void = () => undefined,
): Promise<ScriptReport[]> {
  const url = parseDatabaseUrl(databaseUrl);
  if (url.engine === 'sqlite') {
    throw new AppError('invalid', 'no-scripts-for-sqlite', 'SQLite needs no scripts');
  }
  const pool = await oneConnection(url).connect();
  try {
    await lockSchema(pool);
    const reports: ScriptReport[] = [];
    for (const script of scripts) {
      const report = { script: script.name, messages: await applyScript(pool, script) };
      reports.push(report);
      onApplied(report);
    }
    return reports;
  } finally {
    await pool.close();
  }
}

/** The lock and the SET options belong to the session, so everything goes over one connection that stays open. */
export function oneConnection(url: SqlServerUrl): mssql.ConnectionPool {
  return new mssql.ConnectionPool({
    server: url.host,
    port: url.port,
    database: url.database,
    user: url.username,
    password: url.password,
    // An index over a large table takes as long as it takes.
    requestTimeout: 0,
    pool: { min: 1, max: 1 },
    options: { encrypt: url.encrypt, trustServerCertificate: url.trustServerCertificate, useUTC: true },
  });
}

async function lockSchema(pool: mssql.ConnectionPool): Promise<void> {
  await pool
    .request()
    .batch(
      `DECLARE @result INT; EXEC @result = sp_getapplock @Resource = 'malote-schema', @LockMode = 'Exclusive', ` +
        `@LockOwner = 'Session', @LockTimeout = ${LOCK_WAIT_MS}; ` +
        `IF @result < 0 THROW 51000, 'Another deployment has been changing the schema for five minutes', 1;`,
    );
}

async function applyScript(pool: mssql.ConnectionPool, script: SchemaScript): Promise<string[]> {
  const messages: string[] = [];
  for (const [index, batch] of splitBatches(script.sql).entries()) {
    const request = pool.request();
    request.on('info', ({ message }: { message: string }) => messages.push(message));
    try {
      await request.batch(batch.text);
    } catch (error) {
      if (!(error instanceof mssql.RequestError)) throw error;
      const line = batch.line + Math.max(error.lineNumber ?? 1, 1) - 1;
      throw new AppError(
        'conflict',
        'schema-script-failed',
        `${script.name}, batch ${index + 1}, line ${line}: ${error.message}`,
        { details: { script: script.name, batch: index + 1, line, messages }, cause: error },
      );
    }
  }
  return messages;
}

const CLOSING: Readonly<Record<string, string>> = { "'": "'", '"': '"', '[': ']' };

/** The same text without what the server would not run: comments become blanks, literals a row of x. */
function hideCommentsAndStrings(sql: string): string {
  let visible = '';
  let at = 0;
  while (at < sql.length) {
    const end = endOfHidden(sql, at);
    const filler = CLOSING[sql.charAt(at)] ? 'x' : ' ';
    visible += end === at ? sql.charAt(at) : sql.slice(at, end).replace(/[^\n]/g, filler);
    at = Math.max(end, at + 1);
  }
  return visible;
}

/** Index after the comment or literal that begins at `at`; `at` itself when none does. */
function endOfHidden(sql: string, at: number): number {
  const two = sql.slice(at, at + 2);
  if (two === '--') return indexOrEnd(sql, sql.indexOf('\n', at));
  if (two === '/*') return endOfBlockComment(sql, at);
  const closing = CLOSING[sql.charAt(at)];
  return closing ? indexOrEnd(sql, sql.indexOf(closing, at + 1), 1) : at;
}

/** Block comments nest in T-SQL. */
function endOfBlockComment(sql: string, at: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = at;
  let depth = 0;
  for (let found = mark.exec(sql); found; found = mark.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return sql.length;
}

function indexOrEnd(sql: string, index: number, after = 0): number {
  return index < 0 ? sql.length : index + after;
}
