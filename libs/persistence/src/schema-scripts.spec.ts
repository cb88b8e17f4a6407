import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { applyScripts, readScripts, splitBatches } from './schema-scripts.ts';

const texts = (sql: string) => splitBatches(sql).map(({ text }) => text.trim());

describe('splitting a script into batches', () => {
  it.each(['GO', 'go', '  Go  ', 'GO;', 'GO -- next', 'GO\r', '\tGO /* next */'])(
    'cuts at a line %j',
    (line) => {
      expect(texts(`SELECT 1\n${line}\nSELECT 2`)).toEqual(['SELECT 1', 'SELECT 2']);
    },
  );

  it.each([
    ['a word that begins with it', 'SELECT 1\nGOTO done\nSELECT 2'],
    ['a line that has more than it', 'SELECT 1\nGO SELECT 2'],
    ['a string', "PRINT 'a\nGO\nb'"],
    ['a string with quotes in it', "PRINT 'it''s\nGO\nb'"],
    ['a bracketed name', 'SELECT 1 AS [a\nGO\nb]'],
    ['a quoted name', 'SELECT 1 AS "a\nGO\nb"'],
    ['a block comment', 'SELECT 1 /*\nGO\n*/'],
    ['the outer part of a nested comment', 'SELECT 1 /* /* */\nGO\n*/'],
    ['a comment that is never closed', 'SELECT 1 /*\nGO\n'],
  ])('does not cut at %s', (_, sql) => {
    expect(texts(sql)).toEqual([sql.trim()]);
  });

  it('is not misled by a quote in a comment or a comment mark in a string', () => {
    expect(texts("-- it's\nSELECT 1\nGO\nPRINT '/*'\nGO\nSELECT '--'\nGO\nSELECT 2")).toHaveLength(4);
  });

  it('leaves out batches in which nothing would run', () => {
    expect(texts('GO\n\nGO\n-- nothing\nGO\nSELECT 1\nGO\n')).toEqual(['SELECT 1']);
  });

  it('repeats a batch as often as its GO says', () => {
    expect(texts('SELECT 1\nGO 3\nSELECT 2\nGO 1')).toEqual(['SELECT 1', 'SELECT 1', 'SELECT 1', 'SELECT 2']);
  });

  it('remembers on which line a batch begins', () => {
    const batches = splitBatches('SET X\nGO\n\nSELECT 1\nGO\nSELECT 2');
    expect(batches.map(({ line }) => line)).toEqual([1, 3, 6]);
  });
});

it('reads the numbered scripts of a folder in order and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'malote-scripts-'));
  for (const name of ['010_c.sql', '002_b.sql', '001_a.sql', 'README.md', 'draft.sql', '003_d.sql.bak']) {
    writeFileSync(join(folder, name), `-- ${name}`);
  }

  expect(readScripts(folder)).toEqual([
    { version: 1, name: '001_a.sql', sql: '-- 001_a.sql' },
    { version: 2, name: '002_b.sql', sql: '-- 002_b.sql' },
    { version: 10, name: '010_c.sql', sql: '-- 010_c.sql' },
  ]);
  rmSync(folder, { recursive: true });
});

it('refuses a SQLite database: its tables come from the entities', async () => {
  await expect(applyScripts('sqlite:some.db', [])).rejects.toMatchObject({ code: 'no-scripts-for-sqlite' });
});
