import { type Settlement } from '@malote/lanes';
import { type Tx } from '@malote/persistence';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { type Settled } from './judge.ts';

const TABLE = 'TB_CHAOS_SETTLED';

/** One row per accepted settle, written in the transaction that settles: a message that is here twice was settled twice. */
@Entity(TABLE)
export class SettledEntity {
  @PrimaryGeneratedColumn({ type: 'bigint' })
  id!: string;

  @Column({ type: 'varchar', length: 200 })
  messageKey!: string;

  /** What the sink answered, as far as the settling worker knew. */
  @Column({ type: 'varchar', length: 100, nullable: true })
  receipt!: string | null;
}

/** SQLite makes the table from the entity. */
export async function prepareSettledTable(tx: Tx): Promise<void> {
  if (tx.dialect.name === 'sqlite') {
    await tx.execute(`DELETE FROM ${tx.dialect.table(TABLE)}`);
    return;
  }
  await tx.execute(`DROP TABLE IF EXISTS dbo.${TABLE}`);
  await tx.execute(
    `CREATE TABLE dbo.${TABLE} (Id BIGINT IDENTITY(1,1) NOT NULL PRIMARY KEY, ` +
      `MessageKey VARCHAR(200) NOT NULL, Receipt VARCHAR(100) NULL)`,
  );
}

export async function recordSettled(tx: Tx, settlements: readonly Settlement[]): Promise<void> {
  const done = settlements.filter(({ verdict }) => verdict === 'done');
  if (done.length === 0) return;
  const rows = done.map(({ message, receipt }) => ({
    MessageKey: message.messageKey,
    Receipt: typeof receipt === 'string' ? receipt : null,
  }));
  const source = tx.dialect.jsonRows('rows', { MessageKey: 'varchar(200)', Receipt: 'varchar(100)' });
  await tx.execute(
    `INSERT INTO ${tx.dialect.table(TABLE)} (MessageKey, Receipt) SELECT r.MessageKey, r.Receipt FROM ${source} AS r`,
    { rows: JSON.stringify(rows) },
  );
}

export async function readSettled(tx: Tx): Promise<Settled[]> {
  const rows = await tx.query<{ MessageKey: string; Receipt: string | null }>(
    `SELECT MessageKey AS MessageKey, Receipt AS Receipt FROM ${tx.dialect.table(TABLE)}`,
  );
  return rows.map(({ MessageKey, Receipt }) => ({ key: MessageKey, receipt: Receipt }));
}
