import { expect, it } from '@jest/globals';
import { chooseDatabase } from './database.ts';

it.each([[{}], [{ DATABASE_URL: '', DATABASE_URL_FILE: ' ' }]])('is the embedded one for %j', (env) => {
  expect(chooseDatabase(env)).toEqual({
    env: { DATABASE_URL: 'sqlite:.malote/malote.db' },
    description: 'sqlite:.malote/malote.db',
  });
});

it('is the one a URL names, without its password', () => {
  expect(chooseDatabase({ DATABASE_URL: 'mssql://sa:S3cret!@db:1433/REDEXV2' })).toEqual({
    env: {},
    description: 'mssql://sa:***@db:1433/REDEXV2',
  });
});

it('is the one a file names; services that are given a URL as well would not start', () => {
  expect(chooseDatabase({ DATABASE_URL_FILE: '/run/secrets/database_url' })).toEqual({
    env: {},
    description: 'the one /run/secrets/database_url names',
  });
});
