import { COUNTERPARTY_LENGTHS } from '@malote/counterparties';
import { asDate, type SqlParameters, type SqlRow, type Tx, varchar } from '@malote/persistence';
import { Injectable } from '@nestjs/common';
import { deleteChildren, insertChildren, readChildren } from './counterparty-children.ts';
import { conditionOf } from './counterparty-filter.ts';
import { COUNTERPARTIES, selected } from './counterparty-tables.ts';
import {
  type Counterparty,
  type CounterpartyFilters,
  type CounterpartyWithPayload,
  type SavedCounterparty,
  type StoredCounterparty,
} from './counterparty.ts';

type Head = Omit<StoredCounterparty, 'addresses' | 'fiscalReferences'>;

const HEAD = selected(['id', ...COUNTERPARTIES.properties, 'createdAt', 'updatedAt']);

@Injectable()
export class CounterpartyRepository {
  /** Who saves or reads a document waits for who is at it: nobody meets half of one version and half of the next. */
  lock(tx: Tx, businessDocId: string): Promise<void> {
    return tx.dialect.lock(tx, `counterparty:${businessDocId.toLowerCase()}`);
  }

  /** Overwrites everything but the spelling of the key and the time of creation. The document must be locked. */
  async save(tx: Tx, counterparty: Counterparty, rawPayload: string | null): Promise<SavedCounterparty> {
    const { BusinessDocId = null, ...rest } = COUNTERPARTIES.parameters(counterparty);
    const changing = { ...rest, RawPayload: rawPayload };
    const values = { BusinessDocId, ...changing };
    const { id, inserted } = await tx.dialect.insertOnce(tx, COUNTERPARTIES.name, values, 'BusinessDocId');
    if (!inserted) {
      await overwrite(tx, id, changing);
      await deleteChildren(tx, id);
    }
    await insertChildren(tx, id, counterparty);
    const [row] = await readHeads(tx, HEAD, 't.Id = @id', { id });
    if (!row) throw new Error('A counterparty vanished in the transaction that saved it');
    return { ...counterparty, ...headOf(row), outcome: inserted ? 'created' : 'updated' };
  }

  async find(
    tx: Tx,
    businessEntity: string,
    businessDocId: string,
  ): Promise<CounterpartyWithPayload | undefined> {
    const [row] = await readHeads(
      tx,
      `${HEAD}, ${selected(['rawPayload'])}`,
      't.BusinessDocId = @businessDocId AND t.BusinessEntity = @businessEntity',
      {
        businessDocId: varchar(businessDocId, COUNTERPARTY_LENGTHS.businessDocId),
        businessEntity: varchar(businessEntity, COUNTERPARTY_LENGTHS.businessEntity),
      },
    );
    if (!row) return undefined;
    const { rawPayload, ...head } = row;
    const [stored] = await withChildren(tx, [head]);
    return stored && { ...stored, rawPayload: rawPayload as string | null };
  }

  /** Ordered by Id; begins behind `after`. */
  async list(
    tx: Tx,
    filters: CounterpartyFilters,
    after: string | undefined,
    count: number,
  ): Promise<StoredCounterparty[]> {
    const { condition, parameters } = conditionOf(tx.dialect, filters);
    const body =
      `${HEAD} FROM ${tx.dialect.table(COUNTERPARTIES.name)} AS t ` +
      `WHERE ${condition} AND t.Id > @after ORDER BY t.Id`;
    const rows = await tx.query(tx.dialect.top(count, body), { ...parameters, after: after ?? '0' });
    return withChildren(tx, rows);
  }
}

async function overwrite(tx: Tx, id: string, values: SqlParameters): Promise<void> {
  const assignments = Object.keys(values).map((column) => `${column} = @${column}`);
  await tx.execute(
    `UPDATE ${tx.dialect.table(COUNTERPARTIES.name)} SET ${assignments.join(', ')}, UpdatedAt = ${tx.dialect.now} ` +
      `WHERE Id = @id`,
    { ...values, id },
  );
}

function readHeads(tx: Tx, columns: string, condition: string, parameters: SqlParameters): Promise<SqlRow[]> {
  return tx.query(
    `SELECT ${columns} FROM ${tx.dialect.table(COUNTERPARTIES.name)} AS t WHERE ${condition}`,
    parameters,
  );
}

async function withChildren(tx: Tx, rows: readonly SqlRow[]): Promise<StoredCounterparty[]> {
  const heads = rows.map(headOf);
  const childrenOf = await readChildren(
    tx,
    heads.map(({ id }) => id),
  );
  return heads.map((head) => ({ ...head, ...childrenOf(head.id) }));
}

function headOf(row: SqlRow): Head {
  return {
    ...COUNTERPARTIES.fromRow(row),
    id: String(row.id),
    createdAt: asDate(row.createdAt),
    updatedAt: asDate(row.updatedAt),
  } as Head;
}
