import { type SqlValue, type Tx } from '@malote/persistence';
import {
  ADDRESSES,
  FISCAL_REFERENCES,
  selected,
  type TableShape,
  type Values,
} from './counterparty-tables.ts';
import { type Address, type FiscalReference } from './counterparty.ts';

/** SQL Server takes 2100 in a statement. */
const MAX_PARAMETERS = 2000;

export interface Children {
  readonly addresses: readonly Address[];
  readonly fiscalReferences: readonly FiscalReference[];
}

export async function insertChildren(tx: Tx, id: string, children: Children): Promise<void> {
  await insertRows(tx, ADDRESSES, id, children.addresses);
  await insertRows(tx, FISCAL_REFERENCES, id, children.fiscalReferences);
}

export async function deleteChildren(tx: Tx, id: string): Promise<void> {
  for (const { name } of [ADDRESSES, FISCAL_REFERENCES]) {
    await tx.execute(`DELETE FROM ${tx.dialect.table(name)} WHERE CounterpartyIdFk = @id`, { id });
  }
}

/** What belongs to each of these counterparties, in the order it was sent. */
export async function readChildren(tx: Tx, ids: readonly string[]): Promise<(id: string) => Children> {
  if (ids.length === 0) return () => ({ addresses: [], fiscalReferences: [] });
  const addresses = await readRows<Address>(tx, ADDRESSES, ids);
  const references = await readRows<FiscalReference>(tx, FISCAL_REFERENCES, ids);
  return (id) => ({ addresses: addresses.get(id) ?? [], fiscalReferences: references.get(id) ?? [] });
}

/** The rows get their Ids in the order given. Parameters, not `jsonRows`: Babelfish leaves the escapes of JSON in the text. */
async function insertRows(tx: Tx, shape: TableShape, id: string, rows: readonly Values[]): Promise<void> {
  const rowsPerStatement = Math.floor(MAX_PARAMETERS / shape.columns.length);
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    await insertSome(tx, shape, id, rows.slice(start, start + rowsPerStatement));
  }
}

async function insertSome(tx: Tx, shape: TableShape, id: string, rows: readonly Values[]): Promise<void> {
  const parameters: Record<string, SqlValue> = { id };
  const selects = rows.map((row, ordinal) => {
    const fields = Object.entries(shape.parameters(row)).map(([column, value]) => {
      parameters[`${column}_${ordinal}`] = value;
      return `@${column}_${ordinal} AS ${column}`;
    });
    return `SELECT ${ordinal} AS Ordinal, ${fields.join(', ')}`;
  });
  const { columns } = shape;
  await tx.execute(
    `INSERT INTO ${tx.dialect.table(shape.name)} (CounterpartyIdFk, ${columns.join(', ')}) ` +
      `SELECT @id, ${columns.map((column) => `r.${column}`).join(', ')} ` +
      `FROM (${selects.join(' UNION ALL ')}) AS r ORDER BY r.Ordinal`,
    parameters,
  );
}

async function readRows<T>(
  tx: Tx,
  shape: TableShape,
  ids: readonly string[],
): Promise<ReadonlyMap<string, T[]>> {
  const rows = await tx.query(
    `SELECT ${selected(['counterpartyIdFk', ...shape.properties])} FROM ${tx.dialect.table(shape.name)} AS t ` +
      `WHERE t.CounterpartyIdFk IN (SELECT r.Id FROM ${tx.dialect.jsonRows('ids', { Id: 'bigint' })} AS r) ORDER BY t.Id`,
    { ids: JSON.stringify(ids.map((Id) => ({ Id }))) },
  );
  const byParent = new Map<string, T[]>();
  for (const { counterpartyIdFk, ...row } of rows) {
    const parent = String(counterpartyIdFk);
    const siblings = byParent.get(parent) ?? [];
    siblings.push(shape.fromRow(row) as T);
    byParent.set(parent, siblings);
  }
  return byParent;
}
