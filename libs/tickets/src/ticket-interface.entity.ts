import { Check, Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import {
  CALLBACK_STATUSES,
  type CallbackStatus,
  GATEWAY_SEND_STATUSES,
  type GatewaySendStatus,
  inStates,
  RETURN_STATUSES,
  type ReturnStatus,
  TICKET_STATUSES,
  type TicketStatus,
} from './ticket-status.ts';

/** A shipment ticket in one phase, with two lanes of work on it: processing, then sending to the gateway. */
@Entity('TB_TICKET_INTERFACE')
@Unique('UQ_TB_TICKET_INTERFACE_BusinessEntity_BusinessDocId_PhaseCode', [
  'businessEntity',
  'businessDocId',
  'phaseCode',
])
@Index('IX_TB_TICKET_INTERFACE_Status_CreatedAt', ['status', 'createdAt'])
@Index('IX_TB_TICKET_INTERFACE_ReturnStatus_ReturnLastAttemptAt', ['returnStatus', 'returnLastAttemptAt'])
@Index('IX_TB_TICKET_INTERFACE_GatewaySendStatus_GatewaySendLastAttemptAt', [
  'gatewaySendStatus',
  'gatewaySendLastAttemptAt',
])
@Index('IX_TB_TICKET_INTERFACE_CallbackStatus_CallbackReceivedAt', ['callbackStatus', 'callbackReceivedAt'])
@Index('IX_TB_TICKET_INTERFACE_ProcessingLane', ['nextAttemptAt', 'id', 'status', 'createdAt'], {
  where: "NextAttemptAt IS NOT NULL AND Status <> 'Processed'",
})
@Index('IX_TB_TICKET_INTERFACE_BusinessDocId', ['businessDocId'])
@Index(
  'IX_TB_TICKET_INTERFACE_ProcessingResting',
  ['status', 'id', 'createdAt', 'nextAttemptAt', 'discardedAt'],
  {
    where: "NextAttemptAt IS NULL AND Status <> 'Processed' AND DiscardedAt IS NULL",
  },
)
@Index(
  'IX_TB_TICKET_INTERFACE_GatewayLane',
  ['targetApplicationCode', 'gatewaySendNextAttemptAt', 'id', 'gatewaySendStatus', 'createdAt'],
  { where: "GatewaySendNextAttemptAt IS NOT NULL AND GatewaySendStatus <> 'Sent'" },
)
@Index(
  'IX_TB_TICKET_INTERFACE_GatewayResting',
  [
    'gatewaySendStatus',
    'id',
    'createdAt',
    'gatewaySendNextAttemptAt',
    'gatewaySendDiscardedAt',
    'status',
    'callbackStatus',
  ],
  {
    where:
      "GatewaySendNextAttemptAt IS NULL AND GatewaySendStatus <> 'Sent' AND GatewaySendDiscardedAt IS NULL " +
      "AND Status = 'Processed' AND CallbackStatus = 'Pending'",
  },
)
@Check('CK_TB_TICKET_INTERFACE_Status', inStates('Status', TICKET_STATUSES))
@Check('CK_TB_TICKET_INTERFACE_ReturnStatus', inStates('ReturnStatus', RETURN_STATUSES))
@Check('CK_TB_TICKET_INTERFACE_GatewaySendStatus', inStates('GatewaySendStatus', GATEWAY_SEND_STATUSES))
@Check('CK_TB_TICKET_INTERFACE_CallbackStatus', inStates('CallbackStatus', CALLBACK_STATUSES))
export class TicketInterfaceEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_TICKET_INTERFACE' })
  id!: string;

  @Column({ type: 'varchar', length: 100 })
  businessEntity!: string;

  @Column({ type: 'varchar', length: 100 })
  businessDocId!: string;

  @Column({ type: 'varchar', length: 20 })
  companyCode!: string;

  @Column({ type: 'varchar', length: 20 })
  branchCode!: string;

  @Column({ type: 'varchar', length: 20 })
  destinationCode!: string;

  /** 15: basic data; 6: basic data and weights. */
  @Column({ type: 'int' })
  phaseCode!: number;

  @Column({ type: 'varchar', length: 20 })
  shipmentEvent!: string;

  @Column({ type: 'bit' })
  functionalAckIsRequired!: boolean;

  @Column({ type: 'varchar', length: 20 })
  targetApplicationCode!: string;

  @Column({ type: 'varchar', length: 20, default: 'Awaiting' })
  status!: TicketStatus;

  @Column({ type: 'int', default: 0 })
  attemptCount!: number;

  @Column({ type: 'nvarchar', length: 'MAX' })
  rawPayloadJson!: string;

  @Column({ type: 'nvarchar', length: 2000, nullable: true })
  lastError!: string | null;

  @Column({ type: 'datetime2', default: () => 'SYSUTCDATETIME()' })
  createdAt!: Date;

  @Column({ type: 'datetime2', default: () => 'SYSUTCDATETIME()' })
  updatedAt!: Date;

  @Column({ type: 'varchar', length: 20, default: 'Pending' })
  returnStatus!: ReturnStatus;

  @Column({ type: 'int', default: 0 })
  returnAttemptCount!: number;

  @Column({ type: 'nvarchar', length: 2000, nullable: true })
  returnLastError!: string | null;

  @Column({ type: 'datetime2', nullable: true })
  returnSentAt!: Date | null;

  @Column({ type: 'datetime2', nullable: true })
  returnLastAttemptAt!: Date | null;

  @Column({ type: 'varchar', length: 20, default: 'Pending' })
  gatewaySendStatus!: GatewaySendStatus;

  @Column({ type: 'int', default: 0 })
  gatewaySendAttemptCount!: number;

  @Column({ type: 'nvarchar', length: 2000, nullable: true })
  gatewaySendLastError!: string | null;

  @Column({ type: 'datetime2', nullable: true })
  gatewaySendLastAttemptAt!: Date | null;

  @Column({ type: 'datetime2', nullable: true })
  gatewaySendSentAt!: Date | null;

  @Column({ type: 'varchar', length: 20, default: 'Pending' })
  callbackStatus!: CallbackStatus;

  @Column({ type: 'datetime2', nullable: true })
  callbackReceivedAt!: Date | null;

  @Column({ type: 'nvarchar', length: 'MAX', nullable: true })
  callbackPayloadJson!: string | null;

  @Column({ type: 'nvarchar', length: 2000, nullable: true })
  callbackMessage!: string | null;

  @Column({ type: 'varchar', length: 50, nullable: true })
  callbackCode!: string | null;

  @Column({ type: 'datetime2', nullable: true })
  lastAttemptAt!: Date | null;

  @Column({ type: 'datetime2', nullable: true })
  processedAt!: Date | null;

  /** The moment a worker may process the ticket; null: processed, dead, waiting for phase 15 of its document, or not seen yet. */
  @Column({ type: 'datetime2', nullable: true })
  nextAttemptAt!: Date | null;

  @Column({ type: 'varchar', length: 100, nullable: true })
  leaseOwner!: string | null;

  @Column({ type: 'varchar', length: 55, nullable: true })
  traceParent!: string | null;

  /** No default: a ticket is sent to the gateway once it is processed. */
  @Column({ type: 'datetime2', nullable: true })
  gatewaySendNextAttemptAt!: Date | null;

  @Column({ type: 'varchar', length: 100, nullable: true })
  gatewaySendLeaseOwner!: string | null;

  /** Workers in a row that vanished while they processed the ticket. */
  @Column({ type: 'int', default: 0 })
  abandonCount!: number;

  /** A person decided that it is not processed any more. */
  @Column({ type: 'datetime2', nullable: true })
  discardedAt!: Date | null;

  @Column({ type: 'int', default: 0 })
  gatewaySendAbandonCount!: number;

  @Column({ type: 'datetime2', nullable: true })
  gatewaySendDiscardedAt!: Date | null;
}
