import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export type EndReason =
  'logout' | 'replaced' | 'deactivated' | 'password-changed' | 'reset' | 'reused' | 'ended-by-admin';

/** From a login to its end. The row knows which generation of tokens counts, but no token: a leaked table forges nothing. */
@Entity('TB_USER_SESSIONS')
@Index('IX_TB_USER_SESSIONS_UserId', ['userId'], { where: 'EndedAt IS NULL' })
export class UserSessionEntity {
  @PrimaryColumn({ type: 'varchar', length: 36, primaryKeyConstraintName: 'PK_TB_USER_SESSIONS' })
  id!: string;

  @Column({ type: 'varchar', length: 36 })
  userId!: string;

  @Column({ type: 'int' })
  generation!: number;

  @Column({ type: 'datetime2' })
  startedAt!: Date;

  @Column({ type: 'datetime2' })
  rotatedAt!: Date;

  /** When it has been idle for too long, or its time is up. */
  @Column({ type: 'datetime2' })
  expiresAt!: Date;

  @Column({ type: 'datetime2', nullable: true })
  endedAt!: Date | null;

  @Column({ type: 'varchar', length: 20, nullable: true })
  endReason!: EndReason | null;
}
