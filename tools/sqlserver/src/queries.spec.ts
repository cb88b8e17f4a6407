import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCRIPTS_FOLDER } from '@malote/persistence/testing';
import { expect, it } from '@jest/globals';
import { QUERY_CASES } from './query-cases.ts';

const folder = join(SCRIPTS_FOLDER, 'queries');
const files = readdirSync(folder).sort();

it('has rows to find for every query', () => {
  expect(QUERY_CASES.map(({ file }) => file).sort()).toEqual(files);
});

it.each(files)('%s says what it shows, names its tables in full and only reads', (file) => {
  const [comment = '', ...code] = readFileSync(join(folder, file), 'utf8').split('\n');
  const sql = code.join('\n');

  expect(file).toMatch(/^[a-z]+(-[a-z]+)*\.sql$/);
  expect(comment).toMatch(/^-- [A-Z].*\.$/);
  expect(sql.match(/\b(FROM|JOIN) (?!dbo\.)\S+/g)).toBeNull();
  expect(sql).not.toMatch(
    /\b(INSERT|UPDATE|DELETE|MERGE|EXEC|DROP|ALTER|CREATE|TRUNCATE|NULLS (FIRST|LAST))\b/i,
  );
});
