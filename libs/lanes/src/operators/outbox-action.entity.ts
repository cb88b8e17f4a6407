import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** What an operator did to a lane, and why; never changed, never purged. */
@Entity('TB_OUTBOX_ACTIONS')
@Index('IX_TB_OUTBOX_ACTIONS_Lane_CreatedAt', ['lane', 'createdAt'])
export class OutboxActionEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_OUTBOX_ACTIONS' })
  id!: string;

  @Column({ type: 'varchar', length: 100 })
  lane!: string;

  /** `release`: taken out of its order, so that later ones went on without it; discarding has replaced that. */
  @Column({ type: 'varchar', length: 20 })
  action!: 'replay' | 'discard' | 'pause' | 'resume' | 'release';

  @Column({ type: 'varchar', length: 100 })
  actor!: string;

  @Column({ type: 'nvarchar', length: 500 })
  reason!: string;

  /** What was selected, as JSON: ids, a filter, or the target that was paused. */
  @Column({ type: 'nvarchar', length: 'MAX' })
  selection!: string;

  @Column({ type: 'int' })
  affectedCount!: number;

  @Column({ type: 'datetime2', default: () => 'SYSUTCDATETIME()' })
  createdAt!: Date;
}
