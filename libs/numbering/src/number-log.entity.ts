import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { LogKind } from './log-entry.ts';

/** What happened to a sequence, entry by entry, each sealed with the hash of the one before it. Never changed, never deleted. */
@Entity('TB_NUMBER_LOGS')
@Check('CK_TB_NUMBER_LOGS_Kind', "Kind IN ('generated', 'annulled', 'adjusted', 'amended')")
@Check('CK_TB_NUMBER_LOGS_Number', 'Number > 0')
@Check('CK_TB_NUMBER_LOGS_Position', 'Position > 0')
@Index('UQ_TB_NUMBER_LOGS_Position', ['documentTypeId', 'year', 'position'], { unique: true })
@Index('UQ_TB_NUMBER_LOGS_Number', ['documentTypeId', 'year', 'number', 'kind'], {
  unique: true,
  where: "Kind IN ('generated', 'annulled', 'adjusted')",
})
@Index('IX_TB_NUMBER_LOGS_Number', ['documentTypeId', 'year', 'number'])
@Index('UQ_TB_NUMBER_LOGS_RequestKey', ['requestKey'], { unique: true, where: 'RequestKey IS NOT NULL' })
@Index('IX_TB_NUMBER_LOGS_UserId', ['userId'])
@Index('IX_TB_NUMBER_LOGS_GeneratedAt', ['generatedAt'])
export class NumberLogEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_NUMBER_LOGS' })
  id!: string;

  @Column({ type: 'varchar', length: 36 })
  documentTypeId!: string;

  @Column({ type: 'nvarchar', length: 50 })
  documentTypeName!: string;

  /**
   * Generated: the number taken. Amended: the number something else is said of now. Annulled: the number that does not count any
   * more. Adjusted: the one the sequence goes on after.
   */
  @Column({ type: 'int' })
  number!: number;

  @Column({ type: 'int' })
  year!: number;

  @Column({ type: 'varchar', length: 20 })
  formattedNumber!: string;

  /** Who did it, as they were called then. */
  @Column({ type: 'varchar', length: 36 })
  userId!: string;

  @Column({ type: 'nvarchar', length: 100 })
  userName!: string;

  @Column({ type: 'varchar', length: 254 })
  userEmail!: string;

  @Column({ type: 'datetime2' })
  generatedAt!: Date;

  @Column({ type: 'varchar', length: 40 })
  generatedAtLocal!: string;

  @Column({ type: 'varchar', length: 10, default: 'generated' })
  kind!: LogKind;

  /** In its sequence, from 1, without gaps. */
  @Column({ type: 'int' })
  position!: number;

  @Column({ type: 'varchar', length: 10, nullable: true })
  prefix!: string | null;

  @Column({ type: 'nvarchar', length: 200, nullable: true })
  subject!: string | null;

  @Column({ type: 'nvarchar', length: 200, nullable: true })
  recipient!: string | null;

  @Column({ type: 'nvarchar', length: 50, nullable: true })
  processNumber!: string | null;

  @Column({ type: 'nvarchar', length: 500, nullable: true })
  notes!: string | null;

  /** Why it was annulled or adjusted. */
  @Column({ type: 'nvarchar', length: 500, nullable: true })
  reason!: string | null;

  /** A request that comes twice under one key is one entry. */
  @Column({ type: 'varchar', length: 200, nullable: true })
  requestKey!: string | null;

  /** What the register can be searched by, without case and accents; follows from the rest and is not sealed. */
  @Column({ type: 'nvarchar', length: 1800 })
  searchText!: string;

  @Column({ type: 'varchar', length: 64 })
  previousHash!: string;

  @Column({ type: 'varchar', length: 64 })
  hash!: string;
}
