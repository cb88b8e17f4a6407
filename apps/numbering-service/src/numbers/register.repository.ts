import { NumberLogEntity, searchTerm, type StoredEntry } from '@malote/numbering';
import { type SqlParameters, type Tx, varchar } from '@malote/persistence';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { beginningOf, beginningOfNext, type RegisterFilter } from './register.query.ts';

/** A number as the register shows it: how it was taken, what is said of it now and, if so, how it was annulled. */
export interface RegisteredNumber {
  readonly taken: StoredEntry;
  readonly latest: StoredEntry;
  readonly annulled: StoredEntry | undefined;
}

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
    const taken = await tx.entities.find(NumberLogEntity, {
      where: { id: In(ids), kind: 'generated' },
      order: { id: 'DESC' },
    });
    const later = await this.laterEntries(tx, ids);
    return taken.map((number) => {
      const entries = later.get(keyOf(number)) ?? [];
      return {
        taken: number,
        latest: entries.findLast(({ kind }) => kind === 'amended') ?? number,
        annulled: entries.find(({ kind }) => kind === 'annulled'),
      };
    });
  }

  /** What happened to numbers after they were taken, by number, oldest first. */
  private async laterEntries(tx: Tx, ids: readonly string[]): Promise<Map<string, NumberLogEntity[]>> {
    const found = await tx.entities
      .createQueryBuilder(NumberLogEntity, 'e')
      .innerJoin(
        NumberLogEntity,
        'n',
        'n.documentTypeId = e.documentTypeId AND n.year = e.year AND n.number = e.number',
      )
      .where(`e.kind IN ('annulled', 'amended') AND n.kind = 'generated'`)
      .andWhere('n.id IN (:...ids)', { ids })
      .orderBy('e.position', 'ASC')
      .getMany();
    const byNumber = new Map<string, NumberLogEntity[]>();
    for (const entry of found) byNumber.set(keyOf(entry), [...(byNumber.get(keyOf(entry)) ?? []), entry]);
    return byNumber;
  }
}

function keyOf({ documentTypeId, year, number }: NumberLogEntity): string {
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
