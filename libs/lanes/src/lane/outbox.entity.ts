import { Column, Entity, Index } from 'typeorm';
import { type StateOf, statesOf } from '@malote/state-machine';
import { DELIVERY_TRANSITIONS } from './lane-states.ts';

export type OutboxStatus = StateOf<typeof DELIVERY_TRANSITIONS>;
export const OUTBOX_STATUSES: readonly OutboxStatus[] = statesOf(DELIVERY_TRANSITIONS);

/** An entity that is an outbox: its table, and the indexes its lane needs. */
export function OutboxTable(table: string): ClassDecorator {
  const unfinished = "Status <> 'Sent'";
  const indexes = [
    Index(`IX_${table}_Lane`, ['targetUrl', 'nextAttemptAt', 'id', 'status', 'createdAt'], {
      where: `NextAttemptAt IS NOT NULL AND ${unfinished}`,
    }),
    Index(`IX_${table}_Resting`, ['status', 'id', 'createdAt', 'nextAttemptAt', 'discardedAt'], {
      where: `NextAttemptAt IS NULL AND ${unfinished} AND DiscardedAt IS NULL`,
    }),
    Index(`IX_${table}_Status_CreatedAt`, ['status', 'createdAt']),
    Index(`UX_${table}_MessageKey`, ['messageKey'], { unique: true, where: 'MessageKey IS NOT NULL' }),
    Index(`IX_${table}_OrderKey`, ['orderKey', 'id', 'discardedAt'], {
      where: `OrderKey IS NOT NULL AND ${unfinished}`,
    }),
  ];
  return (entity) => {
    for (const decorate of [Entity(table), ...indexes]) decorate(entity);
  };
}

/** What every outbox table has; a table adds its `Id` (for the name of its key) and its business columns. */
export abstract class OutboxEntity {
  @Column({ type: 'nvarchar', length: 'MAX' })
  payloadJson!: string;

  @Column({ type: 'varchar', length: 500 })
  targetUrl!: string;

  @Column({ type: 'varchar', length: 20, default: 'Pending' })
  status!: OutboxStatus;

  @Column({ type: 'int', default: 0 })
  attemptCount!: number;

  /** Workers in a row that vanished while they held the row. */
  @Column({ type: 'int', default: 0 })
  abandonCount!: number;

  @Column({ type: 'datetime2', default: () => 'SYSUTCDATETIME()' })
  createdAt!: Date;

  @Column({ type: 'datetime2', nullable: true })
  lastAttemptAt!: Date | null;

  @Column({ type: 'datetime2', nullable: true })
  sentAt!: Date | null;

  @Column({ type: 'nvarchar', length: 2000, nullable: true })
  lastError!: string | null;

  /**
   * The moment a worker may take the row: now, after a back-off, or when the lease of its worker runs out.
   * Null: delivered, dead, or waiting behind an earlier row of its order key.
   */
  @Column({ type: 'datetime2', nullable: true, default: () => 'SYSUTCDATETIME()' })
  nextAttemptAt!: Date | null;

  /** Who holds the row, unique for each claim; a settle that names another owner changes nothing. */
  @Column({ type: 'varchar', length: 100, nullable: true })
  leaseOwner!: string | null;

  @Column({ type: 'varchar', length: 55, nullable: true })
  traceParent!: string | null;

  /** Unique: to enqueue a message twice is to enqueue it once. */
  @Column({ type: 'varchar', length: 200, nullable: true })
  messageKey!: string | null;

  /** Rows of one key are delivered one after the other, by Id. */
  @Column({ type: 'varchar', length: 200, nullable: true })
  orderKey!: string | null;

  /** A person decided that it is not delivered any more. */
  @Column({ type: 'datetime2', nullable: true })
  discardedAt!: Date | null;
}

/** An outbox whose messages must never reach their target twice. */
export abstract class AskableOutboxEntity extends OutboxEntity {
  /** From this moment on its target may have the message; null: it certainly does not. */
  @Column({ type: 'datetime2', nullable: true })
  inDoubtSince!: Date | null;

  /** Since then its target has said that it does not have the message, each time it has said anything. */
  @Column({ type: 'datetime2', nullable: true })
  absentSince!: Date | null;

  /** How often its target was asked about it. */
  @Column({ type: 'int', default: 0 })
  askCount!: number;
}
