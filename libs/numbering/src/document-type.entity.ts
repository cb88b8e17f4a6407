import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A kind of document that is numbered: Ofício, Despacho, Comunicação Interna. */
@Entity('TB_DOCUMENT_TYPES')
@Check('CK_TB_DOCUMENT_TYPES_SortOrder', 'SortOrder > 0')
@Index('UQ_TB_DOCUMENT_TYPES_Name', ['name'], { unique: true, where: 'IsActive = 1' })
export class DocumentTypeEntity {
  @PrimaryColumn({ type: 'varchar', length: 36, primaryKeyConstraintName: 'PK_TB_DOCUMENT_TYPES' })
  id!: string;

  @Column({ type: 'nvarchar', length: 50 })
  name!: string;

  @Column({ type: 'varchar', length: 10, nullable: true })
  prefix!: string | null;

  /** Inactive ones take no numbers any more; their register stays. */
  @Column({ type: 'bit', default: true })
  isActive!: boolean;

  @Column({ type: 'int' })
  sortOrder!: number;

  @Column({ type: 'datetime2', default: () => 'SYSUTCDATETIME()' })
  createdAt!: Date;

  @Column({ type: 'datetime2', default: () => 'SYSUTCDATETIME()' })
  updatedAt!: Date;
}
