import { type Finding } from '../finding.ts';
import { columnText, type ColumnModel, type IndexModel, type TableModel } from '../schema/schema-model.ts';
import { type FoundColumn, type FoundIndex } from './database-facts.ts';

/** Tables that existed before the scripts keep their columns; what the entities expect may not be there. */
export function driftOfColumns(table: TableModel, found: readonly FoundColumn[]): Finding[] {
  const own = new Map(found.filter(ofTable(table)).map((column) => [key(column.name), column]));
  if (own.size === 0) {
    const text = `dbo.${table.name} does not exist, or this login may not see it. Apply the schema scripts, or grant SELECT on it.`;
    return [{ severity: 'refuse', check: 'tables', text }];
  }
  const known = new Set([...table.columns.keys()].map(key));
  return [
    ...[...table.columns].flatMap(([name, column]) =>
      driftOfColumn(`dbo.${table.name}`, name, column, own.get(key(name))),
    ),
    ...[...own.values()]
      .filter(({ name, nullable, fillsItself }) => !known.has(key(name)) && !nullable && !fillsItself)
      .map(({ name }) =>
        columnFinding(
          'refuse',
          `dbo.${table.name}.${name} is NOT NULL, has no default, and this release does not know it: every INSERT fails with error 515. Give it a default, or let it be NULL.`,
        ),
      ),
  ];
}

/** Indexes are told apart by what they are on: their names are nobody's business, and some servers change them. */
export function driftOfIndexes(table: TableModel, found: readonly FoundIndex[]): Finding[] {
  const own = found.filter(ofTable(table));
  const { primaryKey } = table;
  const keys = primaryKey ? [{ ...primaryKey, unique: true, filter: undefined }] : [];
  return [...keys, ...table.indexes]
    .filter((expected) => !own.some((index) => serves(index, expected)))
    .map((expected) => missingIndex(`dbo.${table.name}`, expected));
}

function driftOfColumn(
  table: string,
  name: string,
  expected: ColumnModel,
  found: FoundColumn | undefined,
): Finding[] {
  if (!found) {
    const text = `${table} has no column ${name} (${columnText(expected)}): statements that name it fail with error 207. Add it as the schema scripts do.`;
    return [columnFinding('refuse', text)];
  }
  const column = `${table}.${name}`;
  const findings: Finding[] = [];
  const fit = fitOf(expected.type, found.type);
  if (fit !== 'fits') {
    const effect =
      fit === 'never'
        ? 'ordinary values do not fit in it'
        : 'some values do not fit in it, or come back changed';
    findings.push(
      columnFinding(
        fit === 'never' ? 'refuse' : 'warn',
        `${column} is ${found.type}, expected ${expected.type}: ${effect}. Change it with ALTER TABLE … ALTER COLUMN.`,
      ),
    );
  }
  if (expected.identity && !found.identity) {
    findings.push(
      columnFinding('refuse', `${column} is not an IDENTITY column: no row can be inserted without it.`),
    );
  }
  if (expected.nullable && !found.nullable) {
    findings.push(
      columnFinding('refuse', `${column} is NOT NULL: rows without it fail with error 515. Let it be NULL.`),
    );
  }
  if (!expected.nullable && found.nullable) {
    findings.push(
      columnFinding(
        'warn',
        `${column} allows NULL, which this release does not expect. Fill the rows without it, and make it NOT NULL.`,
      ),
    );
  }
  return findings;
}

function columnFinding(severity: Finding['severity'], text: string): Finding {
  return { severity, check: 'columns', text };
}

function missingIndex(table: string, { name, columns, unique, filter }: IndexModel): Finding {
  const where = filter === undefined ? '' : ` WHERE ${filter}`;
  const what = `${table} has no ${unique ? 'unique ' : ''}index on (${columns.join(', ')})${where}`;
  const effect = unique ? 'what must be there once could be there twice' : 'statements that need it are slow';
  const text = `${what}: ${effect}. Create it as the schema scripts do (${name}).`;
  return { severity: unique ? 'refuse' : 'warn', check: 'indexes', text };
}

/** An index without a filter holds every row a filtered one would, and not every server tells which have one. */
function serves(found: FoundIndex, { columns, unique, filter }: IndexModel): boolean {
  const isOnThem =
    found.columns.length === columns.length &&
    found.columns.every((name, place) => key(name) === key(columns[place] ?? ''));
  return isOnThem && (found.unique || !unique) && (filter !== undefined || !found.filtered);
}

const KINDS: readonly (readonly string[])[] = [
  ['CHAR', 'VARCHAR', 'NCHAR', 'NVARCHAR', 'TEXT', 'NTEXT'],
  ['TINYINT', 'SMALLINT', 'INT', 'BIGINT', 'DECIMAL', 'MONEY', 'SMALLMONEY', 'FLOAT', 'REAL'],
  ['DATETIME', 'SMALLDATETIME', 'DATETIME2'],
];

function fitOf(expected: string, found: string): 'fits' | 'perhaps' | 'never' {
  if (expected === found) return 'fits';
  const [wanted, given] = [sizeOf(expected), sizeOf(found)];
  if (wanted.name === given.name && given.size >= wanted.size) return 'fits';
  const isOfOneKind =
    wanted.name === given.name ||
    KINDS.some((kind) => kind.includes(wanted.name) && kind.includes(given.name));
  return isOfOneKind ? 'perhaps' : 'never';
}

/** `VARCHAR(20)` has a size; that of `DECIMAL(15,2)` is none that could be compared. */
function sizeOf(type: string): { name: string; size: number } {
  const [, name = type, size] = /^(\w+)\((.+)\)$/.exec(type) ?? [];
  return { name, size: size === 'MAX' ? Infinity : Number(size) };
}

function ofTable({ name }: TableModel): (found: { readonly table: string }) => boolean {
  return ({ table }) => key(table) === key(name);
}

/** Whether the case of names counts is a matter of the database's collation; ours differ in more than case. */
function key(name: string): string {
  return name.toLowerCase();
}
