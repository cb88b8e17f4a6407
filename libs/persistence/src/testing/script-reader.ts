import { type SchemaScript, splitBatches } from '../schema-scripts.ts';
import { type ColumnModel, emptyTable, type TableModel } from '../schema/schema-model.ts';
import { sqlText } from '../schema/tsql-tokens.ts';
import { TokenCursor } from './token-cursor.ts';

/** What the scripts leave behind in an empty database, read from their text. */
export function readTables(scripts: readonly SchemaScript[]): Map<string, TableModel> {
  const tables = new Map<string, TableModel>();
  for (const script of scripts) {
    try {
      for (const { text } of splitBatches(script.sql)) readStatements(new TokenCursor(text), tables);
    } catch (error) {
      throw new Error(`${script.name}: ${(error as Error).message}`, { cause: error });
    }
  }
  return tables;
}

type Tables = Map<string, TableModel>;

/** Statements that change no table are passed over; those that do must be understood. */
function readStatements(cursor: TokenCursor, tables: Tables): void {
  while (!cursor.done) {
    if (cursor.take('CREATE')) readCreate(cursor, tables);
    else if (cursor.take('ALTER', 'TABLE')) readAlter(cursor, tables);
    else if (cursor.take('EXEC', '(')) readStatements(new TokenCursor(cursor.string()), tables);
    else if (cursor.take('DROP', 'INDEX')) readDropIndex(cursor, tables);
    else if (cursor.take('DROP') || cursor.take('sp_rename')) throw cursor.confused('a DROP or rename');
    else cursor.skip();
  }
}

function readCreate(cursor: TokenCursor, tables: Tables): void {
  if (cursor.take('TABLE')) {
    const table = emptyTable(cursor.tableName());
    tables.set(table.name, table);
    cursor.expect('(');
    do readTableElement(cursor, table);
    while (cursor.take(','));
    cursor.expect(')');
    return;
  }
  const unique = cursor.take('UNIQUE');
  if (!cursor.take('NONCLUSTERED')) cursor.take('CLUSTERED');
  cursor.expect('INDEX');
  const name = cursor.name();
  cursor.expect('ON');
  const table = known(cursor, tables);
  const columns = cursor.names();
  // Included columns only save a look-up; entities cannot name them.
  if (cursor.take('INCLUDE')) cursor.names();
  const filter = cursor.take('WHERE') ? sqlText(cursor.until(';')) : undefined;
  table.indexes.push({ name, columns, unique, filter });
}

function readDropIndex(cursor: TokenCursor, tables: Tables): void {
  cursor.take('IF', 'EXISTS');
  const name = cursor.name();
  cursor.expect('ON');
  const { indexes } = known(cursor, tables);
  const found = indexes.findIndex((index) => index.name === name);
  if (found < 0) throw new Error(`Index ${name} is dropped before a script creates it`);
  indexes.splice(found, 1);
}

function readAlter(cursor: TokenCursor, tables: Tables): void {
  const table = known(cursor, tables);
  if (!cursor.take('ADD')) throw cursor.confused('ALTER TABLE without ADD');
  do readTableElement(cursor, table);
  while (cursor.take(','));
}

function known(cursor: TokenCursor, tables: Tables): TableModel {
  const name = cursor.tableName();
  const table = tables.get(name);
  if (!table) throw new Error(`${name} is used before a script creates it`);
  return table;
}

function readTableElement(cursor: TokenCursor, table: TableModel): void {
  if (cursor.take('CONSTRAINT')) {
    const name = cursor.name();
    if (!readConstraint(cursor, table, name, [])) throw cursor.confused(`constraint ${name}`);
    return;
  }
  const columnName = cursor.name();
  const column: ColumnModel = {
    type: readType(cursor),
    nullable: true,
    identity: false,
    byDefault: undefined,
  };
  table.columns.set(columnName, column);
  for (;;) {
    if (cursor.take('IDENTITY')) {
      column.identity = true;
      cursor.parenthesised();
    } else if (cursor.take('NOT', 'NULL')) column.nullable = false;
    else if (cursor.take('NULL')) column.nullable = true;
    else if (cursor.take('CONSTRAINT')) {
      const name = cursor.name();
      if (!readConstraint(cursor, table, name, [columnName])) throw cursor.confused(`constraint ${name}`);
    } else if (cursor.take('DEFAULT')) throw cursor.confused(`${columnName}: a DEFAULT without a name`);
    else return;
  }
}

/** `inline` is the column a constraint stands beside; constraints of the table name theirs themselves. */
function readConstraint(
  cursor: TokenCursor,
  table: TableModel,
  name: string,
  inline: readonly string[],
): boolean {
  const columns = () => (inline.length > 0 ? inline : cursor.names());
  if (cursor.take('PRIMARY', 'KEY')) {
    if (!cursor.take('CLUSTERED')) cursor.take('NONCLUSTERED');
    table.primaryKey = { name, columns: columns() };
  } else if (cursor.take('UNIQUE')) {
    if (!cursor.take('NONCLUSTERED')) cursor.take('CLUSTERED');
    table.indexes.push({ name, columns: columns(), unique: true, filter: undefined });
  } else if (cursor.take('CHECK')) {
    table.checks.push({ name, expression: sqlText(cursor.parenthesised()) });
  } else if (cursor.take('DEFAULT')) {
    const byDefault = sqlText(cursor.value());
    const [target = cursor.take('FOR') ? cursor.name() : ''] = inline;
    const column = table.columns.get(target);
    if (!column) throw cursor.confused(`default ${name}`);
    column.byDefault = byDefault;
  } else if (cursor.take('FOREIGN', 'KEY')) {
    readForeignKey(cursor, table, name, cursor.names());
  } else if (inline.length > 0 && cursor.is('REFERENCES')) {
    readForeignKey(cursor, table, name, inline);
  } else return false;
  return true;
}

function readForeignKey(
  cursor: TokenCursor,
  table: TableModel,
  name: string,
  columns: readonly string[],
): void {
  cursor.expect('REFERENCES');
  const referenced = cursor.tableName();
  const referencedColumns = cursor.names();
  const onDelete = cursor.take('ON', 'DELETE') ? readAction(cursor) : 'NO ACTION';
  table.foreignKeys.push({ name, columns, table: referenced, referencedColumns, onDelete });
}

function readAction(cursor: TokenCursor): string {
  for (const action of ['CASCADE', 'NO ACTION', 'SET NULL', 'SET DEFAULT']) {
    if (cursor.take(...action.split(' '))) return action;
  }
  throw cursor.confused('ON DELETE');
}

function readType(cursor: TokenCursor): string {
  const name = cursor.name().toUpperCase();
  if (!cursor.is('(')) return name;
  return `${name}(${cursor
    .parenthesised()
    .map(({ text }) => text.toUpperCase())
    .join('')})`;
}
