import { type EntityMetadata } from 'typeorm';
import { type ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { type ColumnModel, emptyTable, type TableModel } from './schema-model.ts';
import { sqlText } from './tsql-tokens.ts';

/** What an entity says about its table, in SQL Server's terms. */
export function tableOf(metadata: EntityMetadata): TableModel {
  const table = emptyTable(metadata.tableName);
  for (const column of metadata.columns) table.columns.set(column.databaseName, columnOf(column));
  table.primaryKey = {
    name: metadata.primaryColumns[0]?.primaryKeyConstraintName ?? '(unnamed)',
    columns: namesOf(metadata.primaryColumns),
  };
  for (const { name, columns, isUnique, where } of metadata.indices) {
    const filter = where === undefined ? undefined : sqlText(where);
    table.indexes.push({ name, columns: namesOf(columns), unique: isUnique, filter });
  }
  for (const { name, columns } of metadata.uniques) {
    table.indexes.push({ name, columns: namesOf(columns), unique: true, filter: undefined });
  }
  for (const key of metadata.foreignKeys) {
    table.foreignKeys.push({
      name: key.name,
      columns: key.columnNames,
      table: key.referencedEntityMetadata.tableName,
      referencedColumns: key.referencedColumnNames,
      onDelete: key.onDelete ?? 'NO ACTION',
    });
  }
  for (const { name, expression } of metadata.checks) {
    table.checks.push({ name, expression: sqlText(expression) });
  }
  return table;
}

function columnOf(column: ColumnMetadata): ColumnModel {
  return {
    type: typeOf(column),
    nullable: column.isNullable,
    identity: column.generationStrategy === 'increment',
    byDefault: defaultOf(column.default),
  };
}

function typeOf({ type, length, precision, scale }: ColumnMetadata): string {
  const name = (typeof type === 'string' ? type : type.name).toUpperCase();
  if (length) return `${name}(${length.toUpperCase()})`;
  if (precision === undefined || precision === null) return name;
  return `${name}(${scale === undefined ? precision : `${precision},${scale}`})`;
}

function defaultOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'function') return sqlText(String((value as () => unknown)()));
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return String(value);
  throw new TypeError('a default is a string, a number, a boolean or a function that returns SQL');
}

function namesOf(columns: readonly ColumnMetadata[]): string[] {
  return columns.map(({ databaseName }) => databaseName);
}
