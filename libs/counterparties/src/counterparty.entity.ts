import { Column, Entity, Index, OneToMany, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { COUNTERPARTY_LENGTHS } from './column-lengths.ts';
import { CounterpartyAddressEntity } from './counterparty-address.entity.ts';
import { CounterpartyFiscalReferenceEntity } from './counterparty-fiscal-reference.entity.ts';

@Entity('TB_COUNTERPARTIES')
@Index('UQ_TB_COUNTERPARTIES_BusinessDocId', ['businessDocId'], { unique: true })
@Index('IX_TB_COUNTERPARTIES_CounterpartyId', ['counterpartyId'], { where: 'CounterpartyId IS NOT NULL' })
@Index('IX_TB_COUNTERPARTIES_EntityType', ['entityType'])
@Index('IX_TB_COUNTERPARTIES_BusinessEntity', ['businessEntity', 'id'])
export class CounterpartyEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_COUNTERPARTIES' })
  id!: string;

  @Column({ type: 'varchar', length: COUNTERPARTY_LENGTHS.businessDocId })
  businessDocId!: string;

  @Column({ type: 'varchar', length: COUNTERPARTY_LENGTHS.businessAppId, nullable: true })
  businessAppId!: string | null;

  @Column({ type: 'varchar', length: COUNTERPARTY_LENGTHS.businessEntity, nullable: true })
  businessEntity!: string | null;

  @Column({ type: 'varchar', length: COUNTERPARTY_LENGTHS.originalBusinessDocId, nullable: true })
  originalBusinessDocId!: string | null;

  /** Of the source system; not the key the children refer to. */
  @Column({ type: 'varchar', length: COUNTERPARTY_LENGTHS.counterpartyId, nullable: true })
  counterpartyId!: string | null;

  /** "1" customer, "2" supplier, "5" carrier. */
  @Column({ type: 'varchar', length: COUNTERPARTY_LENGTHS.entityType, nullable: true })
  entityType!: string | null;

  @Column({ type: 'varchar', length: COUNTERPARTY_LENGTHS.name, nullable: true })
  name!: string | null;

  @Column({ type: 'varchar', length: COUNTERPARTY_LENGTHS.localName, nullable: true })
  localName!: string | null;

  @Column({ type: 'varchar', length: COUNTERPARTY_LENGTHS.searchName, nullable: true })
  searchName!: string | null;

  @Column({ type: 'varchar', length: COUNTERPARTY_LENGTHS.referenceCode, nullable: true })
  referenceCode!: string | null;

  @Column({ type: 'bit', default: false })
  isDeleted!: boolean;

  @Column({ type: 'varchar', length: COUNTERPARTY_LENGTHS.source, nullable: true })
  source!: string | null;

  /** The specification's list is open ("Received", "Processed", "Error" are examples); other systems write here too. */
  @Column({ type: 'varchar', length: COUNTERPARTY_LENGTHS.status, default: 'Received' })
  status!: string;

  @Column({ type: 'datetime2', default: () => 'SYSUTCDATETIME()' })
  createdAt!: Date;

  @Column({ type: 'datetime2', nullable: true })
  updatedAt!: Date | null;

  @Column({ type: 'nvarchar', length: 'MAX', nullable: true })
  rawPayload!: string | null;

  @OneToMany(() => CounterpartyAddressEntity, ({ counterparty }) => counterparty)
  addresses!: Relation<CounterpartyAddressEntity>[];

  @OneToMany(() => CounterpartyFiscalReferenceEntity, ({ counterparty }) => counterparty)
  fiscalReferences!: Relation<CounterpartyFiscalReferenceEntity>[];
}
