import { type Settlement } from '@malote/outbox';
import { type Tx } from '@malote/persistence';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

const TABLE = 'TB_CHAOS_SETTLED';

/** One row per accepted settle, written in the transaction that settles: a message that is here twice was settled twice. */
@Entity(TABLE)
export class SettledEntity {
  @PrimaryGeneratedColumn({ type: 'bigint' })
  id!: string;

  @Column({ type: 'varchar', length: 200 })
  messageKey!: string;
}

/** SQLite makes the table from the entity. */
export async function prepareSettledTable(tx: Tx): Promise<void> {
  if (tx.dialect.name === 'sqlserver') {
    await tx.execute(
      `IF OBJECT_ID('dbo.${TABLE}') IS NULL CREATE TABLE dbo.${TABLE} (Id BIGINT IDENTITY PRIMARY KEY, MessageKey VARCHAR(200) NOT NULL)`,
    );
  }
  await tx.execute(`DELETE FROM ${tx.dialect.table(TABLE)}`);
}

export async function recordSettled(tx: Tx, settlements: readonly Settlement[]): Promise<void> {
  const done = settlements.filter(({ verdict }) => verdict === 'done');
  if (done.length === 0) return;
  const rows = JSON.stringify(done.map(({ message }) => ({ MessageKey: message.messageKey })));
  await tx.execute(
    `INSERT INTO ${tx.dialect.table(TABLE)} (MessageKey) ` +
      `SELECT r.MessageKey FROM ${tx.dialect.jsonRows('rows', { MessageKey: 'varchar(200)' })} AS r`,
    { rows },
  );
}

export async function readSettled(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ MessageKey: string }>(
    `SELECT MessageKey AS MessageKey FROM ${tx.dialect.table(TABLE)}`,
  );
  return rows.map(({ MessageKey }) => MessageKey);
}
