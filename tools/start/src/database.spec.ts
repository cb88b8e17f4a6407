import { expect, it } from '@jest/globals';
import { describeDatabase } from './database.ts';

it.each([[{}], [{ DATABASE_URL: '', DATABASE_URL_FILE: ' ' }]])('is the embedded one for %j', (env) => {
  expect(describeDatabase(env)).toContain('.malote/malote.db');
});

it('is the one a URL names, without its password', () => {
  const url = 'mssql://sa:S3cret!@db:1433/REDEXV2';
  expect(describeDatabase({ DATABASE_URL: url })).toBe('mssql://sa:***@db:1433/REDEXV2');
});

it('is the one a file names', () => {
  const file = '/run/secrets/database_url';
  expect(describeDatabase({ DATABASE_URL_FILE: file })).toBe(`the one ${file} names`);
});
