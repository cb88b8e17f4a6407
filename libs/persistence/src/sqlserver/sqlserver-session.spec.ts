import { expect, it } from '@jest/globals';
import { Connection } from 'tedious';
import { sqlServerDataSource } from './sqlserver-data-source.ts';
import { waitBrieflyForLocks } from './sqlserver-session.ts';

it('sends the wait for locks along with what the driver sets at login', () => {
  const connection = new Connection({ server: 'db', options: { abortTransactionOnError: true } });
  waitBrieflyForLocks(connection);
  expect(connection.getInitialSql()).toMatch(/\nset xact_abort on\nset lock_timeout 5000$/);
});

it('is what every connection of a service begins with', () => {
  const address = { host: 'db', port: 1433, database: 'REDEXV2', username: 'sa', password: 'x', poolSize: 3 };
  const { options } = sqlServerDataSource(
    { engine: 'sqlserver', ...address, encrypt: true, trustServerCertificate: false },
    [],
  );
  expect(options).toMatchObject({
    extra: { beforeConnect: waitBrieflyForLocks },
    options: { abortTransactionOnError: true },
  });
});
