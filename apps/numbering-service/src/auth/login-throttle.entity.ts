import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Failed logins of an account, an address, or both together. Keys are hashes: the table names nobody. */
@Entity('TB_LOGIN_THROTTLES')
@Index('UQ_TB_LOGIN_THROTTLES_ThrottleKey', ['throttleKey'], { unique: true })
export class LoginThrottleEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_LOGIN_THROTTLES' })
  id!: string;

  @Column({ type: 'varchar', length: 64 })
  throttleKey!: string;

  @Column({ type: 'int', default: 0 })
  failures!: number;

  @Column({ type: 'datetime2', nullable: true })
  blockedUntil!: Date | null;

  @Column({ type: 'datetime2', nullable: true })
  lastFailureAt!: Date | null;

  @Column({ type: 'datetime2', nullable: true })
  lastSuccessAt!: Date | null;
}
