import { NumberLogEntity, searchTerm, type StoredEntry } from '@malote/numbering';
import { asDate, type SqlParameters, type SqlRow, type Tx, varchar } from '@malote/persistence';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { beginningOf, beginningOfNext, type RegisterFilter } from './register.query.ts';

/** A number as the register shows it: how it was taken, what is said of it now and, if so, how it was annulled. */
export interface RegisteredNumber {
  readonly taken: StoredEntry;
  readonly latest: StoredEntry;
  readonly annulled: StoredEntry | undefined;
}

const COLUMNS = [
  'id',
  'documentTypeId',
  'documentTypeName',
  'prefix',
  'number',
  'year',
  'formattedNumber',
  'userId',
  'userName',
  'userEmail',
  'generatedAt',
  'generatedAtLocal',
  'kind',
  'position',
  'subject',
  'recipient',
  'processNumber',
  'notes',
  'reason',
  'requestKey',
  'previousHash',
  'hash',
] as const satisfies readonly (keyof StoredEntry)[];

@Injectable()
export class RegisterRepository {
  async find(tx: Tx, id: string): Promise<RegisteredNumber | undefined> {
    const [number] = await this.load(tx, [id]);
    return number;
  }

  /** Newest first: those before the given one. */
  async list(
    tx: Tx,
    filters: RegisterFilter,
    before: string | undefined,
    count: number,
  ): Promise<RegisteredNumber[]> {
    const logs = tx.dialect.table('TB_NUMBER_LOGS');
    const { conditions, parameters } = conditionsOf(tx, filters, logs);
    const found = await tx.query<{ Id: unknown }>(
      tx.dialect.top(
        count,
        `n.Id AS Id FROM ${logs} AS n WHERE ${[
          `n.Kind = 'generated'`,
          ...(before === undefined ? [] : ['n.Id < @before']),
          ...conditions,
        ].join(' AND ')} ORDER BY n.Id DESC`,
      ),
      { ...parameters, ...(before !== undefined && { before }) },
    );
    return this.load(
      tx,
      found.map(({ Id }) => String(Id)),
    );
  }

  /** All that happened to a number, oldest first. */
  async history(tx: Tx, { documentTypeId, year, number }: StoredEntry): Promise<NumberLogEntity[]> {
    return tx.entities.find(NumberLogEntity, {
      where: { documentTypeId, year, number, kind: In(['generated', 'amended', 'annulled']) },
      order: { position: 'ASC' },
    });
  }

  private async load(tx: Tx, ids: readonly string[]): Promise<RegisteredNumber[]> {
    if (ids.length === 0) return [];
    const taken = new Map<string, StoredEntry>();
    const said = new Map<string, StoredEntry[]>();
    for (const entry of await this.entriesOf(tx, ids)) {
      if (entry.kind === 'generated') taken.set(entry.id, entry);
      said.set(keyOf(entry), [...(said.get(keyOf(entry)) ?? []), entry]);
    }
    return ids.flatMap((id) => {
      const number = taken.get(id);
      if (!number) return [];
      const entries = said.get(keyOf(number)) ?? [];
      return [
        {
          taken: number,
          latest: entries.findLast(({ kind }) => kind === 'amended') ?? number,
          annulled: entries.find(({ kind }) => kind === 'annulled'),
        },
      ];
    });
  }

  /** How these numbers were taken, and what happened to them after that, oldest first. */
  private async entriesOf(tx: Tx, ids: readonly string[]): Promise<StoredEntry[]> {
    const logs = tx.dialect.table('TB_NUMBER_LOGS');
    const rows = await tx.query(
      `SELECT ${COLUMNS.map((name) => `e.${columnOf(name)} AS [${name}]`).join(', ')} FROM ${logs} AS n ` +
        `INNER JOIN ${logs} AS e ON e.DocumentTypeId = n.DocumentTypeId AND e.Year = n.Year AND e.Number = n.Number ` +
        `WHERE n.Kind = 'generated' AND e.Kind IN ('generated', 'amended', 'annulled') ` +
        `AND n.Id IN (SELECT i.Id FROM ${tx.dialect.jsonRows('ids', { Id: 'bigint' })} AS i) ORDER BY e.Position`,
      { ids: JSON.stringify(ids.map((Id) => ({ Id }))) },
    );
    return rows.map(toEntry);
  }
}

function toEntry(row: SqlRow): StoredEntry {
  return { ...row, id: String(row.id), generatedAt: asDate(row.generatedAt) } as StoredEntry;
}

function columnOf(property: string): string {
  return property.charAt(0).toUpperCase() + property.slice(1);
}

function keyOf({ documentTypeId, year, number }: StoredEntry): string {
  return `${documentTypeId}/${year}/${number}`;
}

function conditionsOf(
  { dialect }: Tx,
  filters: RegisterFilter,
  logs: string,
): { conditions: string[]; parameters: SqlParameters } {
  const { documentTypeId, userId, state, from, to, text } = filters;
  const conditions: string[] = [];
  const parameters: Record<string, SqlParameters[string]> = {};
  const add = (condition: string, name: string, value: SqlParameters[string]) => {
    conditions.push(condition);
    parameters[name] = value;
  };
  if (documentTypeId !== undefined) {
    add('n.DocumentTypeId = @documentTypeId', 'documentTypeId', varchar(documentTypeId, 36));
  }
  if (userId !== undefined) add('n.UserId = @userId', 'userId', varchar(userId, 36));
  if (from !== undefined) add('n.GeneratedAt >= @from', 'from', beginningOf(from));
  if (to !== undefined) add('n.GeneratedAt < @to', 'to', beginningOfNext(to));
  const later = (kinds: string) =>
    `SELECT 1 FROM ${logs} AS a WHERE a.DocumentTypeId = n.DocumentTypeId AND a.Year = n.Year AND a.Number = n.Number ` +
    `AND a.Kind IN (${kinds})`;
  if (state !== undefined) {
    conditions.push(`${state === 'annulled' ? '' : 'NOT '}EXISTS (${later(`'annulled'`)})`);
  }
  if (text !== undefined) {
    const found = (alias: string) => dialect.contains(`${alias}.SearchText`, 'text');
    const term = searchTerm(text);
    // Nothing but accents is no text, and no reason to find everything.
    if (term === '') conditions.push('1 = 0');
    else add(`(${found('n')} OR EXISTS (${later(`'annulled', 'amended'`)} AND ${found('a')}))`, 'text', term);
  }
  return { conditions, parameters };
}
