import { AskableOutboxEntity, OutboxTable } from '@malote/lanes';
import { type Tx } from '@malote/persistence';
import { PrimaryGeneratedColumn } from 'typeorm';

export const ASKABLE_TABLE = 'TB_CHAOS_ASKABLE';

const LIVE = "NextAttemptAt IS NOT NULL AND Status <> 'Sent'";
const RESTING = "NextAttemptAt IS NULL AND Status <> 'Sent' AND DiscardedAt IS NULL";
const KEYED = 'MessageKey IS NOT NULL';
const ORDERED = "OrderKey IS NOT NULL AND Status <> 'Sent'";

/** An outbox of the tool's own: no service has a lane yet whose target can be asked. */
@OutboxTable(ASKABLE_TABLE)
export class ChaosAskableEntity extends AskableOutboxEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_CHAOS_ASKABLE' })
  id!: string;
}

const TSQL = [
  `DROP TABLE IF EXISTS dbo.${ASKABLE_TABLE}`,
  `CREATE TABLE dbo.${ASKABLE_TABLE} (
  Id BIGINT IDENTITY(1,1) NOT NULL CONSTRAINT PK_TB_CHAOS_ASKABLE PRIMARY KEY CLUSTERED,
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
  `CREATE INDEX IX_TB_CHAOS_ASKABLE_Lane ON dbo.${ASKABLE_TABLE} (TargetUrl, NextAttemptAt, Id, Status, CreatedAt) WHERE ${LIVE}`,
  `CREATE INDEX IX_TB_CHAOS_ASKABLE_Resting ON dbo.${ASKABLE_TABLE} (Status, Id, CreatedAt, NextAttemptAt, DiscardedAt) WHERE ${RESTING}`,
  `CREATE INDEX IX_TB_CHAOS_ASKABLE_Status_CreatedAt ON dbo.${ASKABLE_TABLE} (Status, CreatedAt)`,
  `CREATE UNIQUE INDEX UX_TB_CHAOS_ASKABLE_MessageKey ON dbo.${ASKABLE_TABLE} (MessageKey) WHERE ${KEYED}`,
  `CREATE INDEX IX_TB_CHAOS_ASKABLE_OrderKey ON dbo.${ASKABLE_TABLE} (OrderKey, Id, DiscardedAt) WHERE ${ORDERED}`,
];

/** SQLite makes the table from the entity. */
export async function prepareAskableTable(tx: Tx): Promise<void> {
  if (tx.dialect.name === 'sqlserver') for (const sql of TSQL) await tx.execute(sql);
}
