import { setTimeout as sleep } from 'node:timers/promises';
import { driverErrorOf } from '../dialect.ts';
import {
  type DatabaseFacts,
  type Fact,
  type FoundColumn,
  type FoundIndex,
  type OldModule,
  type Settings,
  type Trigger,
} from './database-facts.ts';

export type Query = <Row extends object>(sql: string) => Promise<Row[]>;

const BUDGET_MS = 10_000;
const INVALID_OBJECT_NAME = 208;

/** Asks the catalogue about these tables, one query after the other. One that fails or takes too long leaves its fact unknown. */
export async function readFacts(
  query: Query,
  tables: readonly string[],
  budgetMs = BUDGET_MS,
): Promise<DatabaseFacts> {
  const timer = new AbortController();
  const late = new Error('there was no answer in time');
  let isLate = false;
  const outOfTime = sleep(budgetMs, undefined, { signal: timer.signal, ref: false }).then(() => {
    isLate = true;
    throw late;
  });
  outOfTime.catch(() => undefined);
  const fact = async <T>(ask: () => Promise<T>): Promise<Fact<T>> => {
    try {
      return { value: await Promise.race([outOfTime, isLate ? Promise.reject(late) : ask()]) };
    } catch (error) {
      const { message } = driverErrorOf(error);
      return { unknown: String(message) };
    }
  };
  const names = tables.map(literal).join(', ');
  const facts = {
    hasOpenJson: await fact(() => hasOpenJson(query)),
    settings: await fact(() => readSettings(query)),
    columns: await fact(() => readColumns(query, names)),
    indexes: await fact(() => readIndexes(query, names)),
    triggers: await fact(() => readTriggers(query, names)),
    oldModules: await fact(() => readOldModules(query)),
  };
  timer.abort();
  return facts;
}

async function hasOpenJson(query: Query): Promise<boolean> {
  try {
    await query(`SELECT COUNT(*) AS [Rows] FROM OPENJSON('[1]')`);
    return true;
  } catch (error) {
    if (driverErrorOf(error).number === INVALID_OBJECT_NAME) return false;
    throw error;
  }
}

async function readSettings(query: Query): Promise<Settings> {
  const [row] = await query<{ Name: string; Level: number | null; Snapshot: boolean }>(
    `SELECT name AS [Name], compatibility_level AS [Level], is_read_committed_snapshot_on AS [Snapshot] ` +
      `FROM sys.databases WHERE database_id = DB_ID()`,
  );
  if (!row) throw new Error('sys.databases does not show this database');
  return { database: row.Name, compatibilityLevel: row.Level, readCommittedSnapshot: row.Snapshot };
}

interface ColumnRow {
  readonly Table: string;
  readonly Name: string;
  readonly Type: string;
  readonly Length: number;
  readonly Precision: number;
  readonly Scale: number;
  readonly Nullable: boolean;
  readonly Identity: boolean;
  readonly FillsItself: number;
}

async function readColumns(query: Query, tables: string): Promise<FoundColumn[]> {
  const rows = await query<ColumnRow>(
    `SELECT t.name AS [Table], c.name AS [Name], TYPE_NAME(c.system_type_id) AS [Type], c.max_length AS [Length], ` +
      `c.precision AS [Precision], c.scale AS [Scale], c.is_nullable AS [Nullable], c.is_identity AS [Identity], ` +
      `CASE WHEN c.is_identity = 1 OR c.is_computed = 1 OR c.default_object_id <> 0 OR c.generated_always_type <> 0 ` +
      `OR TYPE_NAME(c.system_type_id) = 'timestamp' THEN 1 ELSE 0 END AS [FillsItself] ` +
      `FROM sys.columns AS c JOIN sys.tables AS t ON t.object_id = c.object_id ` +
      `WHERE t.schema_id = SCHEMA_ID('dbo') AND t.name IN (${tables})`,
  );
  return rows.map((row) => ({
    table: row.Table,
    name: row.Name,
    type: typeOf(row),
    nullable: row.Nullable,
    identity: row.Identity,
    fillsItself: row.FillsItself === 1,
  }));
}

/** As entities write it. Times are taken to the millisecond: whether they could be told finer makes no difference. */
function typeOf({ Type, Length, Precision, Scale }: ColumnRow): string {
  const name = Type.toUpperCase();
  if (/^N?(VAR)?CHAR$|BINARY$/.test(name)) {
    const size = Length < 0 ? 'MAX' : name.startsWith('N') ? Length / 2 : Length;
    return `${name}(${size})`;
  }
  if (name === 'DECIMAL' || name === 'NUMERIC') return `DECIMAL(${Precision},${Scale})`;
  return name === 'DATETIME2' && Scale < 3 ? `${name}(${Scale})` : name;
}

interface IndexRow {
  readonly Table: string;
  readonly Index: string;
  readonly Unique: boolean;
  readonly Filtered: boolean;
  readonly Place: number;
  readonly Column: string;
}

async function readIndexes(query: Query, tables: string): Promise<FoundIndex[]> {
  const rows = await query<IndexRow>(
    `SELECT t.name AS [Table], i.name AS [Index], i.is_unique AS [Unique], i.has_filter AS [Filtered], ` +
      `ic.key_ordinal AS [Place], c.name AS [Column] FROM sys.indexes AS i ` +
      `JOIN sys.tables AS t ON t.object_id = i.object_id ` +
      `JOIN sys.index_columns AS ic ON ic.object_id = i.object_id AND ic.index_id = i.index_id ` +
      `JOIN sys.columns AS c ON c.object_id = ic.object_id AND c.column_id = ic.column_id ` +
      `WHERE t.schema_id = SCHEMA_ID('dbo') AND t.name IN (${tables}) AND i.is_disabled = 0 AND ic.key_ordinal > 0`,
  );
  const indexes = new Map<string, FoundIndex & { columns: string[] }>();
  for (const { Table, Index, Unique, Filtered, Column } of rows.toSorted((a, b) => a.Place - b.Place)) {
    const name = `${Table}.${Index}`;
    const index = indexes.get(name) ?? { table: Table, columns: [], unique: Unique, filtered: Filtered };
    index.columns.push(Column);
    indexes.set(name, index);
  }
  return [...indexes.values()];
}

async function readTriggers(query: Query, tables: string): Promise<Trigger[]> {
  const rows = await query<{ Table: string; Name: string; Event: string | null }>(
    `SELECT t.name AS [Table], r.name AS [Name], e.type_desc AS [Event] FROM sys.triggers AS r ` +
      `JOIN sys.tables AS t ON t.object_id = r.parent_id ` +
      `LEFT JOIN sys.trigger_events AS e ON e.object_id = r.object_id ` +
      `WHERE t.schema_id = SCHEMA_ID('dbo') AND t.name IN (${tables}) AND r.is_disabled = 0`,
  );
  return rows.map(({ Table, Name, Event }) => ({ table: Table, name: Name, event: Event ?? undefined }));
}

/** Without the permission the catalogue shows no modules of others, and would be taken for a database that has none. */
async function readOldModules(query: Query): Promise<OldModule[]> {
  const [login] = await query<{ Allowed: number | null }>(
    `SELECT HAS_PERMS_BY_NAME(DB_NAME(), 'DATABASE', 'VIEW DEFINITION') AS [Allowed]`,
  );
  if (login?.Allowed === 0) throw new Error('this login may not see them; GRANT VIEW DEFINITION to it');
  const rows = await query<{ Name: string; Definition: string | null }>(
    `SELECT SCHEMA_NAME(o.schema_id) + '.' + o.name AS [Name], m.definition AS [Definition] ` +
      `FROM sys.sql_modules AS m JOIN sys.objects AS o ON o.object_id = m.object_id WHERE m.uses_quoted_identifier = 0`,
  );
  return rows.map(({ Name, Definition }) => ({ name: Name, definition: Definition ?? '' }));
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
