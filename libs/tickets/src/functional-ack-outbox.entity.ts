import { OutboxEntity, OutboxTable, OUTBOX_STATUSES } from '@malote/lanes';
import { Check, Column, Index, PrimaryGeneratedColumn } from 'typeorm';
import { inStates } from './ticket-status.ts';

/** A functional ACK (v3) on its way to the gateway. */
@OutboxTable('TB_FUNCTIONAL_ACK_OUTBOX')
@Index('IX_TB_FUNCTIONAL_ACK_OUTBOX_BusinessDocId', ['businessDocId'])
@Check('CK_TB_FUNCTIONAL_ACK_OUTBOX_Status', inStates('Status', OUTBOX_STATUSES))
export class FunctionalAckOutboxEntity extends OutboxEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_FUNCTIONAL_ACK_OUTBOX' })
  id!: string;

  @Column({ type: 'varchar', length: 100 })
  businessDocId!: string;
}
