import { AppError } from '@malote/app-error';
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
  /** Who saves a document waits for who is at it. */
  lock(tx: Tx, businessDocId: string): Promise<void> {
    return tx.dialect.lock(tx, `counterparty:${businessDocId}`);
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
    const readHead = () =>
      readHeads(
        tx,
        `${HEAD}, ${selected(['rawPayload'])}`,
        't.BusinessDocId = @businessDocId AND t.BusinessEntity = @businessEntity',
        {
          businessDocId: varchar(businessDocId, COUNTERPARTY_LENGTHS.businessDocId),
          businessEntity: varchar(businessEntity, COUNTERPARTY_LENGTHS.businessEntity),
        },
      );
    const [row] = await readWhole(tx, readHead);
    return row && { ...row.stored, rawPayload: row.head.rawPayload as string | null };
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
    const readPage = () => tx.query(tx.dialect.top(count, body), { ...parameters, after: after ?? '0' });
    return (await readWhole(tx, readPage)).map(({ stored }) => stored);
  }
}

const MAX_READS = 10;

/**
 * Heads with their children, all of one version. On SQL Server each statement sees what was committed before it, so a head may be
 * older than its children; one that is still the same after they were read is not.
 */
async function readWhole(
  tx: Tx,
  read: () => Promise<SqlRow[]>,
): Promise<{ readonly head: SqlRow; readonly stored: StoredCounterparty }[]> {
  let heads = await read();
  for (let reads = 1; ; reads += 1) {
    const stored = await withChildren(tx, heads);
    const again = await read();
    if (versionsOf(again) === versionsOf(heads)) {
      return stored.map((one, n) => ({ head: heads[n] ?? {}, stored: one }));
    }
    if (reads === MAX_READS) {
      throw new AppError(
        'unavailable',
        'counterparties-busy',
        'The counterparties are changing too quickly',
        {
          retryAfterSeconds: 1,
        },
      );
    }
    heads = again;
  }
}

function versionsOf(heads: readonly SqlRow[]): string {
  const versions = heads.map(({ id, updatedAt }) => {
    // What the driver keeps of a time beyond its milliseconds.
    const { nanosecondsDelta = 0 } = (updatedAt ?? {}) as { nanosecondsDelta?: number };
    return `${String(id)}@${String(asDate(updatedAt)?.getTime())}+${nanosecondsDelta}`;
  });
  return versions.join();
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
