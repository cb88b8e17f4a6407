import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** What an admin did. Rows are only ever added. */
@Entity('TB_ADMIN_ACTIONS')
@Index('IX_TB_ADMIN_ACTIONS_CreatedAt', ['createdAt'])
export class AdminActionEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_ADMIN_ACTIONS' })
  id!: string;

  @Column({ type: 'varchar', length: 36 })
  actorId!: string;

  @Column({ type: 'nvarchar', length: 100 })
  actorName!: string;

  @Column({ type: 'varchar', length: 40 })
  action!: string;

  @Column({ type: 'nvarchar', length: 200 })
  subject!: string;

  @Column({ type: 'nvarchar', length: 500, nullable: true })
  reason!: string | null;

  /** JSON. */
  @Column({ type: 'nvarchar', length: 'MAX', nullable: true })
  details!: string | null;

  @Column({ type: 'datetime2', default: () => 'SYSUTCDATETIME()' })
  createdAt!: Date;
}
