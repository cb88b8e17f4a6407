import { type Tx } from '@malote/persistence';
import { MACHINES } from './machines.ts';

/** A status that was written, as a trigger saw it. */
export interface Change {
  readonly table: string;
  readonly column: string;
  readonly rowId: string;
  readonly before: string;
  readonly after: string;
}

const HISTORY = 'TB_CHAOS_HISTORY';

/** From now on the database itself writes down every status, whoever changes it. */
export async function keepHistory(tx: Tx): Promise<void> {
  await forgetHistory(tx);
  await tx.execute(
    `CREATE TABLE ${HISTORY} (Id INTEGER PRIMARY KEY AUTOINCREMENT, TableName TEXT NOT NULL, ColumnName TEXT NOT NULL, ` +
      `RowId INTEGER NOT NULL, Before TEXT NOT NULL, After TEXT NOT NULL, ChangedAt TEXT NOT NULL)`,
  );
  for (const { table, column } of MACHINES) {
    await tx.execute(
      `CREATE TRIGGER ${triggerOf(table, column)} AFTER UPDATE OF ${column} ON ${table} BEGIN ` +
        `INSERT INTO ${HISTORY} (TableName, ColumnName, RowId, Before, After, ChangedAt) ` +
        `VALUES ('${table}', '${column}', OLD.Id, OLD.${column}, NEW.${column}, ${tx.dialect.now}); END`,
    );
  }
}

export async function forgetHistory(tx: Tx): Promise<void> {
  for (const { table, column } of MACHINES) {
    await tx.execute(`DROP TRIGGER IF EXISTS ${triggerOf(table, column)}`);
  }
  await tx.execute(`DROP TABLE IF EXISTS ${HISTORY}`);
}

/** In the order it happened. */
export async function readHistory(tx: Tx): Promise<Change[]> {
  const rows = await tx.query<
    Record<'TableName' | 'ColumnName' | 'Before' | 'After', string> & { RowId: number }
  >(`SELECT TableName, ColumnName, RowId, Before, After FROM ${HISTORY} ORDER BY Id`);
  return rows.map(({ TableName, ColumnName, RowId, Before, After }) => ({
    table: TableName,
    column: ColumnName,
    rowId: String(RowId),
    before: Before,
    after: After,
  }));
}

function triggerOf(table: string, column: string): string {
  return `TR_CHAOS_${table}_${column}`;
}
