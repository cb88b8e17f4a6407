import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { databaseScript } from './create-database.ts';
import { type Options, readOptions } from './options.ts';
import { runSchemaCommand } from './schema-command.ts';

const scripts = [
  { version: 0, name: '000_a.sql', sql: '' },
  { version: 1, name: '001_b.sql', sql: '' },
];

async function run(options: Partial<Options>) {
  const said: string[] = [];
  const complained: string[] = [];
  const code = await runSchemaCommand(
    { help: false, dryRun: false, createDatabase: false, databaseUrl: undefined, ...options },
    scripts,
    { say: (line) => said.push(line), complain: (line) => complained.push(line) },
  );
  return { code, said: said.join('\n'), complained: complained.join('\n') };
}

describe('reading the options', () => {
  it('prefers the argument, then the file, then the variable', () => {
    const folder = mkdtempSync(join(tmpdir(), 'malote-options-'));
    const file = join(folder, 'url');
    writeFileSync(file, 'mssql://file/X\n');
    const env = { DATABASE_URL: 'mssql://variable/X', DATABASE_URL_FILE: file };

    expect(readOptions(['--database-url', 'mssql://argument/X'], env).databaseUrl).toBe('mssql://argument/X');
    expect(readOptions([], env).databaseUrl).toBe('mssql://file/X');
    expect(readOptions([], { DATABASE_URL: 'mssql://variable/X' }).databaseUrl).toBe('mssql://variable/X');
    expect(readOptions([], {}).databaseUrl).toBeUndefined();
    rmSync(folder, { recursive: true });
  });

  it('creates a database only when told to', () => {
    expect(readOptions([], {}).createDatabase).toBe(false);
    expect(readOptions(['--create-database'], {}).createDatabase).toBe(true);
  });

  it.each([['--dryrun'], ['--create-databases'], ['--database-url'], ['apply']])('refuses %s', (argument) => {
    expect(() => readOptions([argument], {})).toThrow();
  });
});

it('names the database so that no name can end the statement', () => {
  expect(databaseScript("a]; DROP DATABASE b; -- it's").sql).toBe(
    [
      "IF DB_ID(N'a]; DROP DATABASE b; -- it''s') IS NULL",
      'BEGIN',
      "    CREATE DATABASE [a]]; DROP DATABASE b; -- it's];",
      "    PRINT 'created';",
      'END',
    ].join('\n'),
  );
});

describe('the schema command', () => {
  it('explains itself', async () => {
    expect(await run({ help: true })).toMatchObject({ code: 0, said: expect.stringContaining('--dry-run') });
  });

  it('lists the scripts of a dry run without connecting', async () => {
    const databaseUrl = 'mssql://nobody:x@127.0.0.1:1/X';
    expect(await run({ dryRun: true, createDatabase: true, databaseUrl })).toMatchObject({
      code: 0,
      said: '000_a.sql\n001_b.sql',
    });
  });

  it.each([false, true])(
    'says that SQLite needs no scripts (--create-database: %s)',
    async (createDatabase) => {
      const { code, complained } = await run({ createDatabase, databaseUrl: 'sqlite:.malote/malote.db' });
      expect(code).toBe(2);
      expect(complained).toMatch(/^SQLite needs no scripts/);
    },
  );

  it.each([[undefined], ['postgres://x/y'], ['mssql://host-without-database']])(
    'refuses %s as a database',
    async (databaseUrl) => {
      const { code, said, complained } = await run({ databaseUrl });
      expect({ code, said }).toEqual({ code: 2, said: '' });
      expect(complained).not.toBe('');
    },
  );

  it.each([false, true])(
    'fails when the server does not answer (--create-database: %s)',
    async (createDatabase) => {
      const databaseUrl = 'mssql://nobody:x@127.0.0.1:1/X?encrypt=false';
      const { code, complained } = await run({ createDatabase, databaseUrl });
      expect(code).toBe(1);
      expect(complained).toMatch(/127\.0\.0\.1:1/);
    },
  );
});
