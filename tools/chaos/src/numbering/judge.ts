import { createHash } from 'node:crypto';
import { type Answer } from './callers.ts';
import { type LogRow, type SequenceRow } from './register-rows.ts';
import { type Wish } from './wish.ts';

export interface Evidence {
  /** By key. */
  readonly asked: ReadonlyMap<string, Wish>;
  readonly answers: readonly Answer[];
  /** In the order it was written. */
  readonly log: readonly LogRow[];
  readonly sequences: readonly SequenceRow[];
}

/** Each promise with what breaks it, one line for each case. */
export interface Judgement {
  /** Numbers below the last of their year that nobody was given. */
  readonly gaps: readonly string[];
  /** Numbers that two were given, and keys that were given two. */
  readonly duplicates: readonly string[];
  /** Numbers that were answered but are not in the log under their key. */
  readonly unlogged: readonly string[];
  readonly chainBroken: readonly string[];
  /** Sequences whose row does not tell the end of their log. */
  readonly sequencesAstray: readonly string[];
  /** Entries of another year than their moment in São Paulo, or earlier than the one they follow. */
  readonly misdated: readonly string[];
  /** Entries that do not say what their key asked for. */
  readonly altered: readonly string[];
}

const CHAIN_START = '0'.repeat(64);
const IN_SAO_PAULO = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Sao_Paulo', year: 'numeric' });

/** What the callers heard and what lies in the database are the judges; nothing here asks the code that gave out the numbers. */
export function judge({ asked, answers, log, sequences }: Evidence): Judgement {
  const entries = bySequence(log);
  const byName = new Map(sequences.map((sequence) => [nameOfSequence(sequence), sequence]));
  return {
    gaps: [...entries].flatMap(([name, rows]) => gapsOf(name, rows)),
    duplicates: [
      ...twice(log, nameOf, ({ position }) => String(position)),
      ...twice(log, ({ requestKey }) => requestKey ?? '', nameOf),
      ...twice(answers, nameOf, ({ key }) => key),
      ...twice(answers, ({ key }) => key, nameOf),
    ],
    unlogged: unlogged(answers, log),
    chainBroken: [...entries.values()].flatMap(brokenLinks),
    sequencesAstray: [...new Set([...entries.keys(), ...byName.keys()])].filter(
      (name) => !isEndOf(entries.get(name) ?? [], byName.get(name)),
    ),
    misdated: [...entries.values()].flatMap(misdated),
    altered: log.filter((row) => !isAsAsked(row, asked.get(row.requestKey ?? ''))).map(nameOf),
  };
}

export function broken(judgement: Judgement): boolean {
  return Object.values(judgement).some((cases: readonly string[]) => cases.length > 0);
}

type Numbered = Pick<LogRow, 'documentTypeId' | 'year' | 'number'>;

function nameOfSequence({ documentTypeId, year }: Pick<LogRow, 'documentTypeId' | 'year'>): string {
  return `${documentTypeId}/${year}`;
}

function nameOf(numbered: Numbered): string {
  return `${nameOfSequence(numbered)}/${numbered.number}`;
}

function bySequence(log: readonly LogRow[]): ReadonlyMap<string, readonly LogRow[]> {
  const sequences = new Map<string, LogRow[]>();
  for (const row of log) {
    const name = nameOfSequence(row);
    const rows = sequences.get(name);
    if (rows) rows.push(row);
    else sequences.set(name, [row]);
  }
  return sequences;
}

function gapsOf(sequence: string, rows: readonly LogRow[]): string[] {
  const given = new Set(rows.map(({ number }) => number));
  const last = rows.reduce((highest, { number }) => Math.max(highest, number), 0);
  return Array.from({ length: last }, (_, n) => n + 1)
    .filter((number) => !given.has(number))
    .map((number) => `${sequence}/${number}`);
}

/** Names under which there is more than one thing. The same thing twice is one. */
function twice<T>(
  items: readonly T[],
  nameOfItem: (item: T) => string,
  thing: (item: T) => string,
): string[] {
  const first = new Map<string, string>();
  const found = new Set<string>();
  for (const item of items) {
    const name = nameOfItem(item);
    const before = first.get(name);
    if (before === undefined) first.set(name, thing(item));
    else if (before !== thing(item)) found.add(name);
  }
  return [...found];
}

function unlogged(answers: readonly Answer[], log: readonly LogRow[]): string[] {
  const logged = new Set(log.map((row) => `${nameOf(row)} ${row.requestKey ?? ''}`));
  return answers.map((answer) => `${nameOf(answer)} ${answer.key}`).filter((line) => !logged.has(line));
}

function brokenLinks(rows: readonly LogRow[]): string[] {
  return rows
    .filter((row, n) => {
      const before = rows[n - 1];
      return (
        row.position !== n + 1 ||
        row.previousHash !== (before?.hash ?? CHAIN_START) ||
        row.hash !== sealOf(row)
      );
    })
    .map(nameOf);
}

/** As the register promises: SHA-256 over the JSON of all it says, in this order. */
export function sealOf(row: Omit<LogRow, 'hash'>): string {
  const { previousHash, position, kind, documentTypeId, documentTypeName, prefix, number, year } = row;
  const { formattedNumber, userId, userName, userEmail, generatedAt, generatedAtLocal } = row;
  const { subject, recipient, processNumber, notes, reason, requestKey } = row;
  const text = JSON.stringify([
    ...[previousHash, position, kind, documentTypeId, documentTypeName, prefix, number, year],
    ...[formattedNumber, userId, userName, userEmail, generatedAt, generatedAtLocal],
    ...[subject, recipient, processNumber, notes, reason, requestKey],
  ]);
  return createHash('sha256').update(text).digest('hex');
}

function isEndOf(rows: readonly LogRow[], sequence: SequenceRow | undefined): boolean {
  const last = rows.at(-1);
  return (
    last?.number === sequence?.lastNumber &&
    last?.position === sequence?.lastPosition &&
    last?.hash === sequence?.lastHash
  );
}

function misdated(rows: readonly LogRow[]): string[] {
  return rows
    .filter(({ generatedAt, generatedAtLocal, year }, n) => {
      const before = rows[n - 1];
      return (
        Number(IN_SAO_PAULO.format(generatedAt)) !== year ||
        Date.parse(generatedAtLocal) !== Math.floor(generatedAt.getTime() / 1000) * 1000 ||
        (before !== undefined && generatedAt < before.generatedAt)
      );
    })
    .map(nameOf);
}

function isAsAsked(row: LogRow, wish: Wish | undefined): boolean {
  return (
    wish !== undefined &&
    row.kind === 'generated' &&
    row.formattedNumber === `${row.number}/${row.year}` &&
    row.documentTypeId === wish.documentTypeId &&
    row.subject === wish.subject
  );
}
