import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A table of the tests' own, with every column type the suite uses. */
@Entity('TB_SAMPLE')
@Index('UQ_TB_SAMPLE_Code', ['code'], { unique: true })
export class SampleEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_SAMPLE' })
  id!: string;

  @Column({ type: 'varchar', length: 20 })
  code!: string;

  @Column({ type: 'nvarchar', length: 'MAX', nullable: true })
  text!: string | null;

  @Column({ type: 'int', default: 0 })
  counter!: number;

  @Column({ type: 'bit', default: 0 })
  flag!: boolean;

  @Column({ type: 'datetime2', default: () => 'SYSUTCDATETIME()' })
  createdAt!: Date;
}

export const SAMPLE_SQL = `CREATE TABLE dbo.TB_SAMPLE (
  Id BIGINT IDENTITY(1,1) NOT NULL CONSTRAINT PK_TB_SAMPLE PRIMARY KEY CLUSTERED,
  Code VARCHAR(20) NOT NULL,
  Text NVARCHAR(MAX) NULL,
  Counter INT NOT NULL DEFAULT (0),
  Flag BIT NOT NULL DEFAULT (0),
  CreatedAt DATETIME2 NOT NULL DEFAULT (SYSUTCDATETIME()),
  CONSTRAINT UQ_TB_SAMPLE_Code UNIQUE (Code)
)`;
