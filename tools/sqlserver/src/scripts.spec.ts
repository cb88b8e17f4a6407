import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readScripts, SCHEMA_VERSION } from '@malote/persistence';
import { readTables, SCRIPTS_FOLDER } from '@malote/persistence/testing';
import { describe, expect, it } from '@jest/globals';

const scripts = readScripts(SCRIPTS_FOLDER);

/** Tables the entities of all projects describe, by the sources: this one depends on none of them. */
function tablesOfEntities(): string[] {
  const root = join(SCRIPTS_FOLDER, '../..');
  const sources = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.entity.ts') && !path.includes('testing'))
      .map((path) => readFileSync(join(root, folder, path), 'utf8')),
  );
  return sources.flatMap((source) =>
    [...source.matchAll(/@(?:Entity|OutboxTable)\('(TB_\w+)'/g)].map(([, table]) => String(table)),
  );
}

it('creates the tables that entities describe, and its own history', () => {
  const tables = tablesOfEntities();
  expect(tables.length).toBeGreaterThan(10);
  expect([...readTables(scripts).keys()].sort()).toEqual([...tables, 'TB_SCHEMA_HISTORY'].sort());
});

it('has scripts numbered without gaps, the newest being the version services ask for', () => {
  expect(scripts.map(({ version }) => version)).toEqual(scripts.map((_, index) => index));
  expect(scripts.at(-1)?.version).toBe(SCHEMA_VERSION);
});

it('names every default after its table and column', () => {
  const misnamed = scripts.flatMap(({ sql }) => {
    let table = '';
    return sql.split('\n').filter((line) => {
      table = /(?:CREATE|ALTER) TABLE dbo\.(\w+)/.exec(line)?.[1] ?? table;
      const [, column = '', name] =
        /(?:^\s+(?!ADD )|ADD )(\w+) .*CONSTRAINT (DF_\w+) DEFAULT (?!.* FOR )/.exec(
          line.replace(/^\s+ALTER TABLE \S+/, ''),
        ) ?? [];
      return name !== undefined && name !== `DF_${table}_${column}`;
    });
  });
  expect(misnamed).toEqual([]);
});

describe.each(scripts.map((script) => [script.name, script] as const))('%s', (name, { version, sql }) => {
  it('sets the options filtered indexes need before anything else', () => {
    const [first] = sql.replace(/^--.*\n/gm, '').split(/^GO$/m);
    expect(first?.trim().split('\n')).toEqual([
      'SET QUOTED_IDENTIFIER ON;',
      'SET ANSI_NULLS ON;',
      'SET XACT_ABORT ON;',
    ]);
  });

  it('ends by writing itself into the history', () => {
    const batches = sql.trim().split(/^GO$/m);
    expect(batches.at(-2)).toContain(
      `INSERT INTO dbo.TB_SCHEMA_HISTORY (Version, Script) VALUES (${version}, '${name}');`,
    );
    expect(batches.at(-1)).toBe('');
  });

  it('announces each table and column it makes', () => {
    const made = [
      ...[...sql.matchAll(/CREATE TABLE dbo\.(\w+)/g)].map(([, table]) => `created dbo.${String(table)}`),
      ...[...sql.matchAll(/ALTER TABLE dbo\.(\w+) ADD (?!CONSTRAINT)(\w+)/g)].map(
        ([, table, column]) => `added dbo.${String(table)}.${String(column)}`,
      ),
    ];
    const announced = [...sql.matchAll(/PRINT '([^']+)'/g)].map(([, message]) => message);
    expect(announced).toEqual(expect.arrayContaining(made));
  });

  it('leaves the database itself, and what DBAs decide, alone', () => {
    expect(sql).not.toMatch(/^\s*(USE|ALTER DATABASE|MERGE)\b/im);
  });
});
