import { OutboxEntity, OutboxTable, OUTBOX_STATUSES } from '@malote/lanes';
import { Check, Column, Index, PrimaryGeneratedColumn } from 'typeorm';
import { inStates } from './ticket-status.ts';

/** The result of a processed ticket on its way to the gateway. */
@OutboxTable('TB_TICKET_RETURN_OUTBOX')
@Index('IX_TB_TICKET_RETURN_OUTBOX_TicketKey', ['businessEntity', 'businessDocId', 'phaseCode'])
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
