import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { FISCAL_REFERENCE_LENGTHS } from './column-lengths.ts';
import { CounterpartyEntity } from './counterparty.entity.ts';

@Entity('TB_COUNTERPARTY_FISCAL_REFERENCES')
@Index('IX_TB_COUNTERPARTY_FISCAL_REFERENCES_CounterpartyIdFk', ['counterpartyIdFk'])
@Index('IX_TB_COUNTERPARTY_FISCAL_REFERENCES_FiscalNumber', ['fiscalNumber'])
export class CounterpartyFiscalReferenceEntity {
  @PrimaryGeneratedColumn({
    type: 'bigint',
    primaryKeyConstraintName: 'PK_TB_COUNTERPARTY_FISCAL_REFERENCES',
  })
  id!: string;

  @Column({ type: 'bigint' })
  counterpartyIdFk!: string;

  @ManyToOne(() => CounterpartyEntity, ({ fiscalReferences }) => fiscalReferences, {
    nullable: false,
    onDelete: 'CASCADE',
  })
  @JoinColumn({
    name: 'CounterpartyIdFk',
    foreignKeyConstraintName: 'FK_TB_COUNTERPARTY_FISCAL_REFERENCES_Counterparty',
  })
  counterparty!: Relation<CounterpartyEntity>;

  @Column({ type: 'varchar', length: FISCAL_REFERENCE_LENGTHS.fiscalReferenceTypeCode, nullable: true })
  fiscalReferenceTypeCode!: string | null;

  @Column({ type: 'varchar', length: FISCAL_REFERENCE_LENGTHS.fiscalReferenceTypeName, nullable: true })
  fiscalReferenceTypeName!: string | null;

  @Column({ type: 'varchar', length: FISCAL_REFERENCE_LENGTHS.fiscalNumber, nullable: true })
  fiscalNumber!: string | null;

  @Column({ type: 'datetime2', default: () => 'SYSUTCDATETIME()' })
  createdAt!: Date;
}
