import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

export const ROLES = ['admin', 'user'] as const;
export type Role = (typeof ROLES)[number];

/** A clerk who may take numbers, or an admin. */
@Entity('TB_USERS')
@Index('UQ_TB_USERS_Email', ['email'], { unique: true })
@Check('CK_TB_USERS_Role', `Role IN ('${ROLES.join("', '")}')`)
@Check('CK_TB_USERS_PasswordHash', 'PasswordHash IS NOT NULL OR MustChangePassword = 1')
export class UserEntity {
  @PrimaryColumn({ type: 'varchar', length: 36, primaryKeyConstraintName: 'PK_TB_USERS' })
  id!: string;

  /** Lower case always. */
  @Column({ type: 'varchar', length: 254 })
  email!: string;

  @Column({ type: 'nvarchar', length: 100 })
  name!: string;

  /** Null once a temporary password has been used: nobody can log in until a password is set. */
  @Column({ type: 'varchar', length: 100, nullable: true })
  passwordHash!: string | null;

  @Column({ type: 'varchar', length: 10 })
  role!: Role;

  @Column({ type: 'bit', default: true })
  isActive!: boolean;

  @Column({ type: 'bit', default: true })
  mustChangePassword!: boolean;

  /** Set while the password is a temporary one. */
  @Column({ type: 'datetime2', nullable: true })
  temporaryPasswordExpiresAt!: Date | null;

  @Column({ type: 'datetime2', nullable: true })
  lastLoginAt!: Date | null;

  @Column({ type: 'datetime2', default: () => 'SYSUTCDATETIME()' })
  createdAt!: Date;

  @Column({ type: 'datetime2', default: () => 'SYSUTCDATETIME()' })
  updatedAt!: Date;
}
