import { OutboxEntity, OUTBOX_STATUSES } from '@malote/lanes';
import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { inStates } from './ticket-status.ts';

/** The result of a processed ticket on its way to the gateway. */
@Entity('TB_TICKET_RETURN_OUTBOX')
@Index('IX_TB_TICKET_RETURN_OUTBOX_Status_CreatedAt', ['status', 'createdAt'])
@Index('IX_TB_TICKET_RETURN_OUTBOX_TicketKey', ['businessEntity', 'businessDocId', 'phaseCode'])
@Index('IX_TB_TICKET_RETURN_OUTBOX_Lane', ['targetUrl', 'nextAttemptAt', 'id', 'status', 'createdAt'], {
  where: "NextAttemptAt IS NOT NULL AND Status <> 'Sent'",
})
@Index('IX_TB_TICKET_RETURN_OUTBOX_Resting', ['status', 'id', 'createdAt', 'nextAttemptAt', 'discardedAt'], {
  where: "NextAttemptAt IS NULL AND Status <> 'Sent' AND DiscardedAt IS NULL",
})
@Index('UX_TB_TICKET_RETURN_OUTBOX_MessageKey', ['messageKey'], {
  unique: true,
  where: 'MessageKey IS NOT NULL',
})
@Index('IX_TB_TICKET_RETURN_OUTBOX_OrderKey', ['orderKey', 'id'], {
  where: "OrderKey IS NOT NULL AND Status <> 'Sent'",
})
@Check('CK_TB_TICKET_RETURN_OUTBOX_Status', inStates('Status', OUTBOX_STATUSES))
export class TicketReturnOutboxEntity extends OutboxEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_TICKET_RETURN_OUTBOX' })
  id!: string;

  @Column({ type: 'varchar', length: 100 })
  businessEntity!: string;

  @Column({ type: 'varchar', length: 100 })
  businessDocId!: string;

  @Column({ type: 'int' })
  phaseCode!: number;
}
