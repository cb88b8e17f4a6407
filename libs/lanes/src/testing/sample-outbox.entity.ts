import { Column, PrimaryGeneratedColumn } from 'typeorm';
import { outboxLane } from '../lane/lane.ts';
import { AskableOutboxEntity, OutboxEntity, OutboxTable } from '../lane/outbox.entity.ts';

/** An outbox of the tests' own. */
@OutboxTable('TB_SAMPLE_OUTBOX')
export class SampleOutboxEntity extends OutboxEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_SAMPLE_OUTBOX' })
  id!: string;

  @Column({ type: 'varchar', length: 100, nullable: true })
  businessDocId!: string | null;
}

/** Another one, for messages that must not reach their target twice. */
@OutboxTable('TB_SAMPLE_ASKABLE')
export class SampleAskableEntity extends AskableOutboxEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_SAMPLE_ASKABLE' })
  id!: string;

  @Column({ type: 'varchar', length: 100, nullable: true })
  businessDocId!: string | null;
}

const payload = ['BusinessDocId'];

export const sampleLane = outboxLane({ name: 'sample', entity: SampleOutboxEntity, payload });
export const askableLane = outboxLane({ name: 'askable', entity: SampleAskableEntity, payload });

const DOUBT = `,
  InDoubtSince DATETIME2 NULL,
  AbsentSince DATETIME2 NULL,
  AskCount INT NOT NULL DEFAULT (0)`;

const tableSql = (table: string, moreColumns = '') => [
  `CREATE TABLE dbo.${table} (
  Id BIGINT IDENTITY(1,1) NOT NULL CONSTRAINT PK_${table} PRIMARY KEY CLUSTERED,
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
  DiscardedAt DATETIME2 NULL${moreColumns}
)`,
  `CREATE INDEX IX_${table}_Lane ON dbo.${table} (TargetUrl, NextAttemptAt, Id, Status, CreatedAt) WHERE NextAttemptAt IS NOT NULL AND Status <> 'Sent'`,
  `CREATE INDEX IX_${table}_Resting ON dbo.${table} (Status, Id, CreatedAt, NextAttemptAt, DiscardedAt) WHERE NextAttemptAt IS NULL AND Status <> 'Sent' AND DiscardedAt IS NULL`,
  `CREATE INDEX IX_${table}_Status_CreatedAt ON dbo.${table} (Status, CreatedAt)`,
  `CREATE UNIQUE INDEX UX_${table}_MessageKey ON dbo.${table} (MessageKey) WHERE MessageKey IS NOT NULL`,
  `CREATE INDEX IX_${table}_OrderKey ON dbo.${table} (OrderKey, Id, DiscardedAt) WHERE OrderKey IS NOT NULL AND Status <> 'Sent'`,
];

/** What a test needs to have both tables on either engine. */
export const SAMPLE_TABLES = {
  entities: [SampleOutboxEntity, SampleAskableEntity],
  extraSql: [...tableSql('TB_SAMPLE_OUTBOX'), ...tableSql('TB_SAMPLE_ASKABLE', DOUBT)],
};
