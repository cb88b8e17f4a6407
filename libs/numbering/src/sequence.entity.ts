import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** The numbers of one document type in one year, and the end of the chain its log forms. */
@Entity('TB_SEQUENCES')
@Check('CK_TB_SEQUENCES_Year', 'Year >= 2020 AND Year <= 2100')
@Check('CK_TB_SEQUENCES_LastNumber', 'LastNumber > 0')
@Index('UQ_TB_SEQUENCES_Type_Year', ['documentTypeId', 'year'], { unique: true })
export class SequenceEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_SEQUENCES' })
  id!: string;

  @Column({ type: 'varchar', length: 36 })
  documentTypeId!: string;

  @Column({ type: 'int' })
  year!: number;

  @Column({ type: 'int' })
  lastNumber!: number;

  /** Of the newest log entry; entries are counted from 1. */
  @Column({ type: 'int' })
  lastPosition!: number;

  @Column({ type: 'varchar', length: 64 })
  lastHash!: string;

  /** When the newest entry was written; no entry is dated before the one it follows. */
  @Column({ type: 'datetime2' })
  updatedAt!: Date;
}
