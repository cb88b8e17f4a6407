import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseDatabaseUrl } from './database-url.ts';

describe('DATABASE_URL', () => {
  it('reads a SQLite file, relative to the working directory or absolute', () => {
    expect(parseDatabaseUrl('sqlite:.malote/malote.db')).toEqual({
      engine: 'sqlite',
      file: resolve('.malote/malote.db'),
    });
    expect(parseDatabaseUrl('sqlite:///var/lib/malote.db')).toEqual({
      engine: 'sqlite',
      file: '/var/lib/malote.db',
    });
  });

  it('reads a SQL Server with a password that needs encoding; encryption is on unless turned off', () => {
    expect(parseDatabaseUrl('mssql://sa:p%40ss%2Fw%21@db.example:14330/REDEXV2')).toMatchObject({
      engine: 'sqlserver',
      host: 'db.example',
      port: 14330,
      database: 'REDEXV2',
      username: 'sa',
      password: 'p@ss/w!',
      encrypt: true,
      trustServerCertificate: false,
    });
    expect(parseDatabaseUrl('mssql://u:p@h/D?encrypt=false&trustServerCertificate=true')).toMatchObject({
      port: 1433,
      encrypt: false,
      trustServerCertificate: true,
    });
  });

  it.each([
    '',
    'postgres://x',
    'sqlite:',
    'sqlite::memory:',
    'mssql://',
    'mssql://host',
    'mssql://u:p@h/D?encrypt=yes',
  ])('refuses %p without repeating it', (text) => {
    expect(() => parseDatabaseUrl(text)).toThrow(/^DATABASE_URL (?!.*u:p)/);
  });
});
