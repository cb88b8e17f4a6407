import { type Finding } from '../finding.ts';
import { type TableModel } from '../schema/schema-model.ts';
import { tokenize } from '../schema/tsql-tokens.ts';
import { type DatabaseFacts, type Fact, type OldModule, type Trigger } from './database-facts.ts';
import { driftOfColumns, driftOfIndexes } from './schema-drift.ts';

/** OPENJSON came with it. */
const LEAST_COMPATIBILITY_LEVEL = 130;
const WRITES = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'];

/** What a DBA should know of a database, given the tables a service expects in it. */
export function judgeDatabase(facts: DatabaseFacts, tables: readonly TableModel[]): Finding[] {
  return [
    ...openJson(facts),
    ...readCommittedSnapshot(facts),
    ...checked(facts.triggers, 'triggers', 'Whether tables have triggers', (triggers) =>
      tables.flatMap((table) => triggersOf(table.name, triggers)),
    ),
    ...oldModules(facts, tables),
    ...checked(facts.columns, 'columns', 'Whether tables have the columns they should', (columns) =>
      tables.flatMap((table) => driftOfColumns(table, columns)),
    ),
    ...indexes(facts, tables),
  ];
}

function checked<T>(
  fact: Fact<T>,
  check: Finding['check'],
  what: string,
  judge: (value: T) => Finding[],
  severity: Finding['severity'] = 'warn',
): Finding[] {
  if ('value' in fact) return judge(fact.value);
  return [{ severity, check, text: `${what} could not be checked: ${fact.unknown}` }];
}

/** The function itself is asked for: some servers have it and tell a lower level. */
function openJson({ hasOpenJson, settings }: DatabaseFacts): Finding[] {
  return checked(hasOpenJson, 'openjson', 'Whether the database has OPENJSON', (isThere) => {
    if (isThere) return [];
    const known = 'value' in settings ? settings.value : undefined;
    const level = known?.compatibilityLevel ?? 'too low';
    const text =
      `The database has no OPENJSON, which services write with: its compatibility level is ${level}, expected ${LEAST_COMPATIBILITY_LEVEL} or more. ` +
      `ALTER DATABASE ${bracketed(known?.database)} SET COMPATIBILITY_LEVEL = ${LEAST_COMPATIBILITY_LEVEL}, or the server's own level.`;
    return [{ severity: 'refuse', check: 'openjson', text }];
  });
}

function readCommittedSnapshot({ settings }: DatabaseFacts): Finding[] {
  const check = 'read-committed-snapshot';
  const what = 'Whether READ_COMMITTED_SNAPSHOT is on';
  const found = ({
    database,
    readCommittedSnapshot: isOn,
  }: {
    database: string;
    readCommittedSnapshot: boolean;
  }) =>
    isOn
      ? 'READ_COMMITTED_SNAPSHOT is ON: readers do not wait for writers.'
      : `READ_COMMITTED_SNAPSHOT is OFF: readers wait for writers. Services work either way; ALTER DATABASE ${bracketed(database)} SET READ_COMMITTED_SNAPSHOT ON makes pages and lists quicker.`;
  return checked(settings, check, what, (value) => [{ severity: 'info', check, text: found(value) }], 'info');
}

/** Rows are deleted without OUTPUT. */
function triggersOf(table: string, found: readonly Trigger[]): Finding[] {
  const events = new Map<string, string[]>();
  for (const { table: on, name, event } of found) {
    if (on.toLowerCase() !== table.toLowerCase() || event === 'DELETE') continue;
    events.set(name, [...(events.get(name) ?? []), ...(event === undefined ? [] : [event])]);
  }
  return [...events].map(([name, known]) => {
    const when = known.length === 0 ? '' : ` (${known.join(', ')})`;
    const text =
      `dbo.${table} has the trigger ${name}${when}: INSERT and UPDATE with OUTPUT and without INTO, which services use, fail with error 334. ` +
      `DISABLE TRIGGER ${bracketed(name)} ON dbo.${table}, and do its work elsewhere.`;
    return { severity: 'refuse', check: 'triggers', text };
  });
}

function oldModules(facts: DatabaseFacts, tables: readonly TableModel[]): Finding[] {
  const filtered = tables
    .filter(({ indexes }) => indexes.some(({ filter }) => filter !== undefined))
    .map(({ name }) => name);
  const what = 'Whether modules created with QUOTED_IDENTIFIER OFF write to tables with filtered indexes';
  const judge = (modules: readonly OldModule[]) => modules.flatMap((old) => oldModule(old, filtered));
  return checked(facts.oldModules, 'old-modules', what, judge, 'info');
}

/** It is not ours, and the service works: what breaks is whatever else uses these tables. */
function oldModule({ name, definition }: OldModule, tables: readonly string[]): Finding[] {
  const words = new Set(
    tokenize(definition)
      .filter(({ kind }) => kind === 'word')
      .map(({ text }) => text.toUpperCase()),
  );
  const named = tables.filter((table) => words.has(table.toUpperCase()));
  if (named.length === 0 || !WRITES.some((word) => words.has(word))) return [];
  const text =
    `${name} was created with QUOTED_IDENTIFIER OFF and names ${named.map((table) => `dbo.${table}`).join(', ')}, with filtered indexes: ` +
    'where it writes to it, it fails with error 1934. Run its CREATE OR ALTER again after SET QUOTED_IDENTIFIER ON.';
  return [{ severity: 'warn', check: 'old-modules', text }];
}

function indexes({ columns, indexes: found }: DatabaseFacts, tables: readonly TableModel[]): Finding[] {
  const isThere = ({ name }: TableModel) =>
    !('value' in columns) || columns.value.some(({ table }) => table.toLowerCase() === name.toLowerCase());
  return checked(found, 'indexes', 'Whether tables have the indexes they should', (value) =>
    tables.filter(isThere).flatMap((table) => driftOfIndexes(table, value)),
  );
}

function bracketed(name: string | undefined): string {
  return name === undefined ? 'CURRENT' : `[${name.replaceAll(']', ']]')}]`;
}
