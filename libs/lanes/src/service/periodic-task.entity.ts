import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** When a periodic task last began, so that of many replicas one does it. */
@Entity('TB_PERIODIC_TASKS')
@Index('UQ_TB_PERIODIC_TASKS_Name', ['name'], { unique: true })
export class PeriodicTaskEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_PERIODIC_TASKS' })
  id!: string;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

  @Column({ type: 'datetime2', default: () => 'SYSUTCDATETIME()' })
  startedAt!: Date;

  @Column({ type: 'varchar', length: 100 })
  startedBy!: string;
}
