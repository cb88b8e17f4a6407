import { describe, expect, it } from '@jest/globals';
import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
  Unique,
} from 'typeorm';
import { compareWithEntities } from './compare-with-entities.ts';

@Entity('TB_PARENT')
class ParentEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_PARENT' })
  id!: string;
}

@Entity('TB_CHILD')
@Unique('UQ_TB_CHILD_Code', ['code', 'amount'])
@Index('IX_TB_CHILD_Due', ['dueAt', 'id'], { where: "DueAt IS NOT NULL AND Status <> 'Done'" })
@Index('UX_TB_CHILD_ParentIdFk', ['parentIdFk'], { unique: true })
@Check('CK_TB_CHILD_Status', "Status IN ('Open', 'Done')")
class ChildEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_CHILD' })
  id!: string;

  @Column({ type: 'bigint' })
  parentIdFk!: string;

  @ManyToOne(() => ParentEntity, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'ParentIdFk', foreignKeyConstraintName: 'FK_TB_CHILD_Parent' })
  parent!: Relation<ParentEntity>;

  @Column({ type: 'varchar', length: 100 })
  code!: string;

  @Column({ type: 'decimal', precision: 15, scale: 2, nullable: true })
  amount!: string | null;

  @Column({ type: 'bit', default: false })
  isDeleted!: boolean;

  @Column({ type: 'varchar', length: 20, default: 'Open' })
  status!: 'Open' | 'Done';

  @Column({ type: 'nvarchar', length: 'MAX', nullable: true })
  payload!: string | null;

  @Column({ type: 'datetime2', nullable: true, default: () => 'SYSUTCDATETIME()' })
  dueAt!: Date | null;
}

const sql = `
SET QUOTED_IDENTIFIER ON;
GO
IF OBJECT_ID('dbo.TB_PARENT', 'U') IS NULL -- made once
BEGIN
    CREATE TABLE dbo.TB_PARENT (Id BIGINT IDENTITY(1,1) NOT NULL CONSTRAINT PK_TB_PARENT PRIMARY KEY CLUSTERED);
    CREATE TABLE [dbo].[TB_CHILD] (
        Id         BIGINT IDENTITY(1,1) NOT NULL,
        ParentIdFk BIGINT         NOT NULL,
        Code       VARCHAR(100)   NOT NULL,
        Amount     DECIMAL(15, 2) NULL,
        IsDeleted  BIT            NOT NULL CONSTRAINT DF_TB_CHILD_IsDeleted DEFAULT (0),
        Status     VARCHAR(20)    NOT NULL CONSTRAINT DF_TB_CHILD_Status DEFAULT 'Open',
        Payload    NVARCHAR(MAX)  NULL,
        CONSTRAINT PK_TB_CHILD PRIMARY KEY CLUSTERED (Id),
        CONSTRAINT UQ_TB_CHILD_Code UNIQUE NONCLUSTERED (Code, Amount),
        CONSTRAINT CK_TB_CHILD_Status CHECK ([Status] IN ('Open','Done')),
        CONSTRAINT FK_TB_CHILD_Parent FOREIGN KEY (ParentIdFk) REFERENCES dbo.TB_PARENT (Id) ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX UX_TB_CHILD_ParentIdFk ON dbo.TB_CHILD (ParentIdFk) INCLUDE (Code);
END
GO
IF COL_LENGTH('dbo.TB_CHILD', 'DueAt') IS NULL
BEGIN
    ALTER TABLE dbo.TB_CHILD ADD DueAt DATETIME2 NULL;
    EXEC('UPDATE dbo.TB_CHILD SET DueAt = SYSUTCDATETIME() WHERE Status = ''Open''');
    ALTER TABLE dbo.TB_CHILD ADD CONSTRAINT DF_TB_CHILD_DueAt DEFAULT SYSUTCDATETIME() FOR DueAt;
    EXEC('CREATE NONCLUSTERED INDEX IX_TB_CHILD_Due ON dbo.TB_CHILD (DueAt, Id)
        WHERE DueAt IS NOT NULL AND Status <> ''Done''');
END
GO
`;

function compare(text: string): Promise<string[]> {
  return compareWithEntities([ParentEntity, ChildEntity], [{ version: 1, name: '001_test.sql', sql: text }]);
}

it('finds nothing when script and entities describe the same tables', async () => {
  expect(await compare(sql)).toEqual([]);
});

describe('finds', () => {
  it.each([
    ['another table name', 'TB_CHILD', 'TB_KID', /TB_CHILD: no script creates it/],
    ['another column name', 'Payload  ', 'PayLoad  ', /column PayLoad: .* the entity nothing/],
    ['a column the entity has not', 'Payload  ', 'Extra INT NULL, Payload  ', /column Extra/],
    [
      'a column the script has not',
      'Payload    NVARCHAR(MAX)  NULL,',
      '',
      /column Payload: the script says nothing/,
    ],
    ['another type', 'VARCHAR(100) ', 'NVARCHAR(100) ', /column Code: .*NVARCHAR\(100\).*VARCHAR\(100\)/],
    ['another length', 'VARCHAR(100)', 'VARCHAR(99)', /column Code/],
    ['a length instead of MAX', 'NVARCHAR(MAX)', 'NVARCHAR(4000)', /column Payload/],
    ['another scale', 'DECIMAL(15, 2)', 'DECIMAL(15, 4)', /column Amount/],
    ['another precision of a time', 'DueAt DATETIME2 NULL', 'DueAt DATETIME2(3) NULL', /column DueAt/],
    ['another nullability', 'VARCHAR(100)   NOT NULL', 'VARCHAR(100)   NULL', /column Code/],
    ['a missing identity', 'Id         BIGINT IDENTITY(1,1)', 'Id         BIGINT', /column Id/],
    ['another default', "DEFAULT 'Open'", "DEFAULT 'Done'", /column Status/],
    ['a missing default', 'CONSTRAINT DF_TB_CHILD_IsDeleted DEFAULT (0)', '', /column IsDeleted/],
    ['another added default', 'DEFAULT SYSUTCDATETIME()', 'DEFAULT GETDATE()', /column DueAt/],
    ['another name of the primary key', 'CONSTRAINT PK_TB_CHILD', 'CONSTRAINT PK_CHILD', /primary key/],
    ['other columns of the primary key', 'CLUSTERED (Id)', 'CLUSTERED (Id, Code)', /primary key/],
    [
      'another name of a unique constraint',
      'UQ_TB_CHILD_Code',
      'UQ_TB_CHILD_Other',
      /index UQ_TB_CHILD_Other/,
    ],
    ['another order of indexed columns', '(DueAt, Id)', '(Id, DueAt)', /index IX_TB_CHILD_Due/],
    ['an index that is not unique', 'CREATE UNIQUE INDEX', 'CREATE INDEX', /index UX_TB_CHILD_ParentIdFk/],
    ['another filter', "<> ''Done''", "<> ''Open''", /index IX_TB_CHILD_Due/],
    ['a missing filter', "WHERE DueAt IS NOT NULL AND Status <> ''Done''", '', /index IX_TB_CHILD_Due/],
    ['another name of a foreign key', 'FK_TB_CHILD_Parent', 'FK_TB_CHILD_Other', /foreign key/],
    ['another referenced table', 'REFERENCES dbo.TB_PARENT', 'REFERENCES dbo.TB_CHILD', /foreign key/],
    ['a missing cascade', 'ON DELETE CASCADE', '', /foreign key .*ON DELETE NO ACTION/],
    ['another name of a check', 'CK_TB_CHILD_Status', 'CK_TB_CHILD_State', /check CK_TB_CHILD_State/],
    ['another state in a check', "('Open','Done')", "('Open','Closed')", /check CK_TB_CHILD_Status/],
  ])('%s', async (_, original, mutated, expected) => {
    expect(sql).toContain(original);
    const found = await compare(sql.replaceAll(original, mutated));
    expect(found.join('\n')).toMatch(expected);
  });
});

it.each([
  ['ALTER TABLE dbo.TB_CHILD ALTER COLUMN Code VARCHAR(5)'],
  ['DROP INDEX IX_TB_UNKNOWN ON dbo.TB_CHILD'],
  ['DROP TABLE dbo.TB_CHILD'],
  ["EXEC sp_rename 'dbo.TB_CHILD', 'TB_KID'"],
  ['CREATE INDEX IX_X ON dbo.TB_UNKNOWN (Id)'],
  ['ALTER TABLE dbo.TB_CHILD ADD Extra INT NOT NULL DEFAULT 0'],
])('refuses to guess at %s', async (statement) => {
  await expect(compare(`${sql}\n${statement}`)).rejects.toThrow(/^001_test.sql: /);
});

it('knows that an index was dropped, and that another took its place', async () => {
  const dropped = `${sql}\nDROP INDEX IF EXISTS IX_TB_CHILD_Due ON dbo.TB_CHILD;`;
  expect((await compare(dropped)).join('\n')).toMatch(/index IX_TB_CHILD_Due/);
  const again = `CREATE INDEX IX_TB_CHILD_Due ON dbo.TB_CHILD (DueAt, Id) WHERE DueAt IS NOT NULL AND Status <> 'Done';`;
  expect(await compare(`${dropped}\n${again}`)).toEqual(await compare(sql));
});
