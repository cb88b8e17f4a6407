import { DataSource } from 'typeorm';
import { type ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { PascalColumns } from '../pascal-columns.ts';
import { type EntityClass } from '../database.ts';
import { sqliteDialect, sqliteNow } from './sqlite-dialect.ts';
import { type Connection, openFile } from './sqlite-file.ts';
import { BLOCKING_WAIT_MS } from './sqlite-session.ts';

/** Entities speak SQL Server's types; this is the one place that turns them into SQLite's. */
export class SqliteDataSource extends DataSource {
  constructor(file: string, entities: readonly EntityClass[]) {
    super({
      type: 'better-sqlite3',
      driver: openFile,
      database: file,
      entities: [...entities],
      namingStrategy: new PascalColumns(),
      prepareDatabase: (connection: Connection) => {
        connection.pragma('busy_timeout = 5000');
        useWal(connection);
        connection.pragma('synchronous = FULL');
        connection.pragma(`busy_timeout = ${BLOCKING_WAIT_MS}`);
      },
    });
    this.driver.supportedDataTypes.push('datetime2', 'bit');
  }

  protected override async buildMetadatas(): Promise<void> {
    await super.buildMetadatas();
    for (const { columns } of this.entityMetadatas) columns.forEach(translate);
  }
}

/** Several services open a fresh file at the same moment, and this pragma does not always wait for the others. */
function useWal(connection: Connection): void {
  for (let triesLeft = 50; ; triesLeft -= 1) {
    try {
      connection.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (triesLeft === 0 || !sqliteDialect.isTransient(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}

/** SQL Server's driver hands out a bigint as text; so do we. */
const bigintAsText = {
  from: (value: unknown) => (typeof value === 'number' ? String(value) : value),
  to: (value: unknown) => value,
};

function translate(column: ColumnMetadata): void {
  if (column.type === 'datetime2') column.type = 'datetime';
  if (column.type === 'bit') column.type = 'boolean';
  if (column.length === 'MAX') {
    column.type = 'text';
    column.length = '';
  } else if (column.type === 'varchar' || column.type === 'nvarchar') {
    // As SQL Server's usual collation compares: 'TCK' and 'tck' are one key on both engines (ADR 8).
    column.collation = 'NOCASE';
  }
  if (column.type === 'bigint') column.transformer ??= bigintAsText;
  const byDefault = column.default as (() => string) | string | number | undefined;
  if (typeof byDefault === 'function' && byDefault() === 'SYSUTCDATETIME()') column.default = () => sqliteNow;
}
