import mssql from 'mssql';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { type SqlServerUrl } from '../database-url.ts';
import { PascalColumns } from '../pascal-columns.ts';
import { waitBrieflyForLocks } from './sqlserver-session.ts';

type Entities = NonNullable<DataSourceOptions['entities']>;

export function sqlServerDataSource(url: SqlServerUrl, entities: Entities): DataSource {
  return new DataSource({
    type: 'mssql',
    driver: mssql,
    host: url.host,
    port: url.port,
    database: url.database,
    username: url.username,
    password: url.password,
    entities,
    namingStrategy: new PascalColumns(),
    connectionTimeout: 5_000,
    requestTimeout: 30_000,
    // TypeORM reads the handler from `pool` and hands `extra.pool` to the driver, which refuses to know the handler.
    pool: { errorHandler: () => undefined },
    extra: {
      pool: { max: url.poolSize, min: 0, acquireTimeoutMillis: 10_000 },
      beforeConnect: waitBrieflyForLocks,
      // Instead of a SELECT 1 before each unit of work: a socket that has ended is told by the socket.
      validateConnection: 'socket',
    },
    options: {
      encrypt: url.encrypt,
      trustServerCertificate: url.trustServerCertificate,
      useUTC: true,
      // After an error or a time-out in the middle nothing stays locked, whether or not somebody still asks for the rollback.
      abortTransactionOnError: true,
      // Otherwise TypeORM turns every VARCHAR parameter into NVARCHAR, and the server scans the index it should seek.
      disableAsciiToUnicodeParamConversion: true,
    },
  });
}
