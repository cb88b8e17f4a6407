import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { ADDRESS_LENGTHS } from './column-lengths.ts';
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

  @Column({ type: 'varchar', length: ADDRESS_LENGTHS.addressTypeCode, nullable: true })
  addressTypeCode!: string | null;

  @Column({ type: 'varchar', length: ADDRESS_LENGTHS.addressTypeName, nullable: true })
  addressTypeName!: string | null;

  @Column({ type: 'varchar', length: ADDRESS_LENGTHS.phone, nullable: true })
  phone!: string | null;

  @Column({ type: 'varchar', length: ADDRESS_LENGTHS.fax, nullable: true })
  fax!: string | null;

  @Column({ type: 'varchar', length: ADDRESS_LENGTHS.addrLine1, nullable: true })
  addrLine1!: string | null;

  @Column({ type: 'varchar', length: ADDRESS_LENGTHS.addrLine2, nullable: true })
  addrLine2!: string | null;

  @Column({ type: 'varchar', length: ADDRESS_LENGTHS.cityCode, nullable: true })
  cityCode!: string | null;

  @Column({ type: 'varchar', length: ADDRESS_LENGTHS.zipCode, nullable: true })
  zipCode!: string | null;

  @Column({ type: 'varchar', length: ADDRESS_LENGTHS.state, nullable: true })
  state!: string | null;

  @Column({ type: 'varchar', length: ADDRESS_LENGTHS.district, nullable: true })
  district!: string | null;

  @Column({ type: 'bit', default: false })
  isMainAddress!: boolean;

  @Column({ type: 'bit', default: false })
  isDeleted!: boolean;

  @Column({ type: 'datetime2', default: () => 'SYSUTCDATETIME()' })
  createdAt!: Date;
}
