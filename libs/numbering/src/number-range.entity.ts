import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { FiscalKind } from './fiscal-kind.ts';

/** The numbers of one issuer's fiscal documents of one kind in one series. They do not begin again with the year. */
@Entity('TB_NUMBER_RANGES')
@Check('CK_TB_NUMBER_RANGES_Kind', "Kind IN ('nfe', 'nfce', 'dps', 'rps')")
@Check('CK_TB_NUMBER_RANGES_LastNumber', 'LastNumber >= 0')
@Index('UQ_TB_NUMBER_RANGES_Issuer', ['issuer', 'kind', 'series'], { unique: true })
export class NumberRangeEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_NUMBER_RANGES' })
  id!: string;

  /** CNPJ or CPF, without its mask. */
  @Column({ type: 'varchar', length: 14 })
  issuer!: string;

  @Column({ type: 'varchar', length: 10 })
  kind!: FiscalKind;

  @Column({ type: 'varchar', length: 5 })
  series!: string;

  @Column({ type: 'bigint' })
  lastNumber!: string;

  /** Takes no numbers until it is unblocked. */
  @Column({ type: 'bit', default: false })
  isBlocked!: boolean;

  @Column({ type: 'nvarchar', length: 500, nullable: true })
  blockReason!: string | null;

  @Column({ type: 'datetime2', default: () => 'SYSUTCDATETIME()' })
  createdAt!: Date;

  @Column({ type: 'datetime2', default: () => 'SYSUTCDATETIME()' })
  updatedAt!: Date;
}
