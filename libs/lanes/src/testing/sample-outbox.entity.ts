import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { outboxLane } from '../lane/lane.ts';
import { AskableOutboxEntity } from '../lane/outbox.entity.ts';

/** An outbox of the tests' own, for a lane of either kind. */
@Entity('TB_SAMPLE_OUTBOX')
@Index('IX_TB_SAMPLE_OUTBOX_Lane', ['targetUrl', 'nextAttemptAt', 'id', 'status', 'createdAt'], {
  where: "NextAttemptAt IS NOT NULL AND Status <> 'Sent'",
})
@Index('IX_TB_SAMPLE_OUTBOX_Resting', ['status', 'id', 'createdAt', 'nextAttemptAt', 'discardedAt'], {
  where: "NextAttemptAt IS NULL AND Status <> 'Sent' AND DiscardedAt IS NULL",
})
@Index('UX_TB_SAMPLE_OUTBOX_MessageKey', ['messageKey'], { unique: true, where: 'MessageKey IS NOT NULL' })
@Index('IX_TB_SAMPLE_OUTBOX_OrderKey', ['orderKey', 'id'], {
  where: "OrderKey IS NOT NULL AND Status <> 'Sent'",
})
export class SampleOutboxEntity extends AskableOutboxEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_SAMPLE_OUTBOX' })
  id!: string;

  @Column({ type: 'varchar', length: 100, nullable: true })
  businessDocId!: string | null;
}

export const sampleLane = outboxLane({
  name: 'sample',
  table: 'TB_SAMPLE_OUTBOX',
  payload: ['BusinessDocId'],
});

/** The same table, for messages that must not reach their target twice. */
export const askableLane = outboxLane({
  name: 'askable',
  table: 'TB_SAMPLE_OUTBOX',
  payload: ['BusinessDocId'],
  isAskable: true,
});

export const SAMPLE_OUTBOX_SQL = [
  `CREATE TABLE dbo.TB_SAMPLE_OUTBOX (
  Id BIGINT IDENTITY(1,1) NOT NULL CONSTRAINT PK_TB_SAMPLE_OUTBOX PRIMARY KEY CLUSTERED,
  BusinessDocId VARCHAR(100) NULL,
  PayloadJson NVARCHAR(MAX) NOT NULL,
  TargetUrl VARCHAR(500) NOT NULL,
  Status VARCHAR(20) NOT NULL DEFAULT ('Pending'),
  AttemptCount INT NOT NULL DEFAULT (0),
  AbandonCount INT NOT NULL DEFAULT (0),
  CreatedAt DATETIME2 NOT NULL DEFAULT (SYSUTCDATETIME()),
  LastAttemptAt DATETIME2 NULL,
  SentAt DATETIME2 NULL,
  LastError NVARCHAR(2000) NULL,
  NextAttemptAt DATETIME2 NULL DEFAULT (SYSUTCDATETIME()),
  LeaseOwner VARCHAR(100) NULL,
  TraceParent VARCHAR(55) NULL,
  MessageKey VARCHAR(200) NULL,
  OrderKey VARCHAR(200) NULL,
  DiscardedAt DATETIME2 NULL,
  InDoubtSince DATETIME2 NULL,
  AbsentSince DATETIME2 NULL,
  AskCount INT NOT NULL DEFAULT (0)
)`,
  `CREATE INDEX IX_TB_SAMPLE_OUTBOX_Lane ON dbo.TB_SAMPLE_OUTBOX (TargetUrl, NextAttemptAt, Id, Status, CreatedAt) WHERE NextAttemptAt IS NOT NULL AND Status <> 'Sent'`,
  `CREATE INDEX IX_TB_SAMPLE_OUTBOX_Resting ON dbo.TB_SAMPLE_OUTBOX (Status, Id, CreatedAt, NextAttemptAt, DiscardedAt) WHERE NextAttemptAt IS NULL AND Status <> 'Sent' AND DiscardedAt IS NULL`,
  `CREATE UNIQUE INDEX UX_TB_SAMPLE_OUTBOX_MessageKey ON dbo.TB_SAMPLE_OUTBOX (MessageKey) WHERE MessageKey IS NOT NULL`,
  `CREATE INDEX IX_TB_SAMPLE_OUTBOX_OrderKey ON dbo.TB_SAMPLE_OUTBOX (OrderKey, Id) WHERE OrderKey IS NOT NULL AND Status <> 'Sent'`,
];
