import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import { datetime2, nvarchar, type SqlValue, varchar } from '../tx.ts';
import { sqlServerDataSource } from './sqlserver-data-source.ts';
import { positional } from './sqlserver-unit-of-work.ts';

/** A request as the driver is about to send it. */
interface SentRequest {
  readonly parameters: readonly { readonly type: { declaration(parameter: unknown): string } }[];
  callback(): void;
}

/** How the server would be told to declare a parameter with this value: through TypeORM, mssql and tedious, up to the wire. */
async function declared(value: SqlValue): Promise<string> {
  const address = { host: 'db', port: 1433, database: 'REDEXV2', username: 'sa', password: 'x', poolSize: 3 };
  const dataSource = sqlServerDataSource(
    { engine: 'sqlserver', ...address, encrypt: true, trustServerCertificate: false },
    [],
  );
  const sent: string[] = [];
  const connection = Object.assign(new EventEmitter(), {
    execSql(request: SentRequest) {
      sent.push(...request.parameters.map((parameter) => parameter.type.declaration(parameter)));
      request.callback();
    },
  });
  const pool = {
    connected: true,
    config: {},
    acquire: (_request: unknown, done: (error: null, lent: EventEmitter, config: object) => void) => {
      done(null, connection, {});
    },
    release: () => undefined,
  };
  Object.assign(dataSource.driver, { master: pool });
  await dataSource.createQueryRunner().query(...positional('SELECT @value', { value }));
  return sent.join();
}

it.each<[string, SqlValue, string]>([
  ['a text', 'a', 'nvarchar(4000)'],
  ['another text', 'a longer one', 'nvarchar(4000)'],
  ['nothing at all', null, 'nvarchar(4000)'],
  ['a text as long as one can be', 'x'.repeat(4_000), 'nvarchar(4000)'],
  ['a document', 'x'.repeat(4_001), 'nvarchar(max)'],
  ['a text for an NVARCHAR column', nvarchar('a', 50), 'nvarchar(50)'],
  ['a text for a VARCHAR column', varchar('a', 20), 'varchar(20)'],
  ['nothing for an NVARCHAR column', nvarchar(null, 50), 'nvarchar(50)'],
  ['nothing for a VARCHAR column', varchar(null, 20), 'varchar(20)'],
  ['nothing for a DATETIME2 column', datetime2(null), 'datetime2(7)'],
  ['a time for a DATETIME2 column', datetime2(new Date(0)), 'datetime2(7)'],
  ['a number', 7, 'int'],
  ['a time', new Date(0), 'datetime2(7)'],
])('declares %s by its kind and never by its length', async (_, value, type) => {
  expect(await declared(value)).toBe(type);
});
