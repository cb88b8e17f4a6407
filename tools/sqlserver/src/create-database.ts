import { applyScripts, type SchemaScript, type ScriptReport } from '@malote/persistence';

/** Makes the database the URL names, unless it is there; over master, since nobody can connect to what is not. */
export async function createDatabase(
  databaseUrl: string,
  onApplied: (report: ScriptReport) => void,
): Promise<void> {
  const url = new URL(databaseUrl);
  const name = decodeURIComponent(url.pathname.slice(1));
  url.pathname = '/master';
  await applyScripts(url.href, [databaseScript(name)], onApplied);
}

export function databaseScript(name: string): SchemaScript {
  return {
    version: 0,
    name: `database ${name}`,
    sql: `IF DB_ID(${literal(name)}) IS NULL
BEGIN
    CREATE DATABASE ${identifier(name)};
    PRINT 'created';
END`,
  };
}

function literal(text: string): string {
  return `N'${text.replaceAll("'", "''")}'`;
}

function identifier(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`;
}
