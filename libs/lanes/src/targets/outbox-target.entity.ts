import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * What all workers know about a target, a group of targets (the origin of their addresses) or a lane (`lane:<name>`): paused,
 * blocked, broken, how fast it may be served.
 */
@Entity('TB_OUTBOX_TARGETS')
@Index('UQ_TB_OUTBOX_TARGETS_Target', ['target'], { unique: true })
export class OutboxTargetEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_OUTBOX_TARGETS' })
  id!: string;

  @Column({ type: 'varchar', length: 300 })
  target!: string;

  /** Times in a row the breaker opened without a success; zero is a closed breaker. */
  @Column({ type: 'int', default: 0 })
  openCount!: number;

  /** Nobody sends before this moment: the target asked for it, or a probe is due then. */
  @Column({ type: 'datetime2', nullable: true })
  blockedUntil!: Date | null;

  /** Who is trying a single message; whoever has lost that right changes nothing. */
  @Column({ type: 'varchar', length: 100, nullable: true })
  probeOwner!: string | null;

  @Column({ type: 'datetime2', nullable: true })
  lastSuccessAt!: Date | null;

  @Column({ type: 'datetime2', nullable: true })
  pausedAt!: Date | null;

  @Column({ type: 'varchar', length: 100, nullable: true })
  pausedBy!: string | null;

  @Column({ type: 'nvarchar', length: 500, nullable: true })
  pauseReason!: string | null;

  /** With a rate limit: when the next delivery is due, pushed forward by each one granted. */
  @Column({ type: 'datetime2', nullable: true })
  rateClock!: Date | null;

  @Column({ type: 'datetime2', default: () => 'SYSUTCDATETIME()' })
  updatedAt!: Date;
}
