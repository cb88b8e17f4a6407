import { type DataSource, Table, TableCheck, type TableColumn, TableForeignKey } from 'typeorm';
import { type SqliteSession } from './sqlite-session.ts';

/**
 * The embedded database gets its tables from the entities. Only what is missing is added: several services share the
 * file, each knowing its own tables.
 */
export async function ensureTables(dataSource: DataSource, session: SqliteSession): Promise<void> {
  const runner = dataSource.createQueryRunner();
  await session.exclusively(async () => {
    for (const metadata of dataSource.entityMetadatas) {
      const table = Table.create(metadata, dataSource.driver);
      table.foreignKeys = metadata.foreignKeys.map((key) => TableForeignKey.create(key, dataSource.driver));
      table.checks.push(...table.columns.flatMap(lengthCheck));
      // Only a column of exactly this type numbers its rows; to the code it stays a bigint.
      for (const column of table.columns.filter(({ isGenerated }) => isGenerated)) column.type = 'integer';
      const existing = session.columnsOf(table.name);
      if (existing.length === 0) {
        await runner.createTable(table, false, true, true);
        continue;
      }
      for (const column of table.columns.filter(({ name }) => !existing.includes(name))) {
        session.exec(`ALTER TABLE "${table.name}" ADD COLUMN ${definition(column)}`);
      }
      bringIndexesUpToDate(table, session);
    }
  });
}

/** A file of an earlier release has its indexes; one that changed since is made anew. Those nobody knows stay. */
function bringIndexesUpToDate(table: Table, session: SqliteSession): void {
  const existing = session.indexesOf(table.name);
  for (const { name = '', columnNames, isUnique, where } of table.indices) {
    const columns = columnNames.map((column) => `"${column}"`).join(', ');
    const sql =
      `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX "${name}" ON "${table.name}" (${columns}) ` +
      (where ? `WHERE ${where}` : '');
    const found = existing.get(name);
    if (found !== undefined && plain(found) === plain(sql)) continue;
    if (found !== undefined) session.exec(`DROP INDEX "${name}"`);
    session.exec(sql);
  }
}

/** As written by whomever: blanks and quotes make no difference. */
function plain(sql: string): string {
  return sql.replaceAll('"', '').replaceAll(/\s+/g, '').toLowerCase();
}

/** SQLite ignores the length of a VARCHAR; SQL Server refuses what does not fit. Both shall refuse. */
function lengthCheck(column: TableColumn): TableCheck[] {
  const length = Number(column.length);
  if (!Number.isInteger(length) || length === 0) return [];
  return [new TableCheck({ expression: `length("${column.name}") <= ${length}` })];
}

function definition(column: TableColumn): string {
  const byDefault = column.default === undefined ? '' : ` DEFAULT ${String(column.default)}`;
  const collation = column.collation === undefined ? '' : ` COLLATE ${column.collation}`;
  return `"${column.name}" ${column.type}${collation}${byDefault}${column.isNullable ? '' : ' NOT NULL'}`;
}
