import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { CounterpartyEntity } from './counterparty.entity.ts';

@Entity('TB_COUNTERPARTY_ADDRESSES')
@Index('IX_TB_COUNTERPARTY_ADDRESSES_CounterpartyIdFk', ['counterpartyIdFk'])
export class CounterpartyAddressEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_COUNTERPARTY_ADDRESSES' })
  id!: string;

  @Column({ type: 'bigint' })
  counterpartyIdFk!: string;

  @ManyToOne(() => CounterpartyEntity, ({ addresses }) => addresses, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({
    name: 'CounterpartyIdFk',
    foreignKeyConstraintName: 'FK_TB_COUNTERPARTY_ADDRESSES_Counterparty',
  })
  counterparty!: Relation<CounterpartyEntity>;

  @Column({ type: 'varchar', length: 10, nullable: true })
  addressTypeCode!: string | null;

  @Column({ type: 'varchar', length: 50, nullable: true })
  addressTypeName!: string | null;

  @Column({ type: 'varchar', length: 30, nullable: true })
  phone!: string | null;

  @Column({ type: 'varchar', length: 30, nullable: true })
  fax!: string | null;

  @Column({ type: 'varchar', length: 200, nullable: true })
  addrLine1!: string | null;

  @Column({ type: 'varchar', length: 200, nullable: true })
  addrLine2!: string | null;

  @Column({ type: 'varchar', length: 30, nullable: true })
  cityCode!: string | null;

  @Column({ type: 'varchar', length: 20, nullable: true })
  zipCode!: string | null;

  @Column({ type: 'varchar', length: 10, nullable: true })
  state!: string | null;

  @Column({ type: 'varchar', length: 100, nullable: true })
  district!: string | null;

  @Column({ type: 'bit', default: false })
  isMainAddress!: boolean;

  @Column({ type: 'bit', default: false })
  isDeleted!: boolean;

  @Column({ type: 'datetime2', default: () => 'SYSUTCDATETIME()' })
  createdAt!: Date;
}
