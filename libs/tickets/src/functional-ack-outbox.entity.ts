import { OutboxEntity, OUTBOX_STATUSES } from '@malote/lanes';
import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { inStates } from './ticket-status.ts';

/** A functional ACK (v3) on its way to the gateway. */
@Entity('TB_FUNCTIONAL_ACK_OUTBOX')
@Index('IX_TB_FUNCTIONAL_ACK_OUTBOX_Status_CreatedAt', ['status', 'createdAt'])
@Index('IX_TB_FUNCTIONAL_ACK_OUTBOX_BusinessDocId', ['businessDocId'])
@Index('IX_TB_FUNCTIONAL_ACK_OUTBOX_Lane', ['targetUrl', 'nextAttemptAt', 'id', 'status', 'createdAt'], {
  where: "NextAttemptAt IS NOT NULL AND Status <> 'Sent'",
})
@Index('IX_TB_FUNCTIONAL_ACK_OUTBOX_Resting', ['status', 'id', 'createdAt', 'nextAttemptAt', 'discardedAt'], {
  where: "NextAttemptAt IS NULL AND Status <> 'Sent' AND DiscardedAt IS NULL",
})
@Index('UX_TB_FUNCTIONAL_ACK_OUTBOX_MessageKey', ['messageKey'], {
  unique: true,
  where: 'MessageKey IS NOT NULL',
})
@Index('IX_TB_FUNCTIONAL_ACK_OUTBOX_OrderKey', ['orderKey', 'id'], {
  where: "OrderKey IS NOT NULL AND Status <> 'Sent'",
})
@Check('CK_TB_FUNCTIONAL_ACK_OUTBOX_Status', inStates('Status', OUTBOX_STATUSES))
export class FunctionalAckOutboxEntity extends OutboxEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_FUNCTIONAL_ACK_OUTBOX' })
  id!: string;

  @Column({ type: 'varchar', length: 100 })
  businessDocId!: string;
}
