import { fold, NumberLogEntity } from '@malote/numbering';
import { type SqlParameters, type Tx, varchar } from '@malote/persistence';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { beginningOf, beginningOfNext, type RegisterFilter } from './register.query.ts';

/** A number as the register shows it: how it was taken and, if so, how it was annulled. */
export interface RegisteredNumber {
  readonly taken: NumberLogEntity;
  readonly annulled: NumberLogEntity | undefined;
}

type Filters = Omit<RegisterFilter, 'limit' | 'cursor'>;

@Injectable()
export class RegisterRepository {
  async find(tx: Tx, id: string): Promise<RegisteredNumber | undefined> {
    const [number] = await this.load(tx, [id]);
    return number;
  }

  /** Newest first: those before the given one. */
  async list(
    tx: Tx,
    filters: Filters,
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

  private async load(tx: Tx, ids: readonly string[]): Promise<RegisteredNumber[]> {
    if (ids.length === 0) return [];
    const taken = await tx.entities.find(NumberLogEntity, {
      where: { id: In(ids), kind: 'generated' },
      order: { id: 'DESC' },
    });
    const annulments = await this.annulmentsOf(tx, ids);
    return taken.map((number) => ({ taken: number, annulled: annulments.get(keyOf(number)) }));
  }

  private async annulmentsOf(tx: Tx, ids: readonly string[]): Promise<Map<string, NumberLogEntity>> {
    const found = await tx.entities
      .createQueryBuilder(NumberLogEntity, 'a')
      .innerJoin(
        NumberLogEntity,
        'n',
        'n.documentTypeId = a.documentTypeId AND n.year = a.year AND n.number = a.number',
      )
      .where(`a.kind = 'annulled' AND n.kind = 'generated'`)
      .andWhere('n.id IN (:...ids)', { ids })
      .getMany();
    return new Map(found.map((annulment) => [keyOf(annulment), annulment]));
  }
}

function keyOf({ documentTypeId, year, number }: NumberLogEntity): string {
  return `${documentTypeId}/${year}/${number}`;
}

function conditionsOf(
  { dialect }: Tx,
  filters: Filters,
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
  const annulment =
    `SELECT 1 FROM ${logs} AS a WHERE a.Kind = 'annulled' AND a.DocumentTypeId = n.DocumentTypeId ` +
    `AND a.Year = n.Year AND a.Number = n.Number`;
  if (state !== undefined) conditions.push(`${state === 'annulled' ? '' : 'NOT '}EXISTS (${annulment})`);
  if (text !== undefined) {
    const found = (alias: string) => dialect.contains(`${alias}.SearchText`, 'text');
    add(`(${found('n')} OR EXISTS (${annulment} AND ${found('a')}))`, 'text', fold(text));
  }
  return { conditions, parameters };
}
