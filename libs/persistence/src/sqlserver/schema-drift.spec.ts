import { beforeAll, expect, it } from '@jest/globals';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { type TableModel } from '../schema/schema-model.ts';
import { readEntities } from '../testing/entity-reader.ts';
import { type FoundColumn, type FoundIndex } from './database-facts.ts';
import { driftOfColumns, driftOfIndexes } from './schema-drift.ts';

@Entity('TB_PAPER')
@Index('UQ_TB_PAPER_Code', ['code'], { unique: true })
@Index('IX_TB_PAPER_Due', ['dueAt', 'id'], { where: 'DueAt IS NOT NULL' })
class PaperEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_PAPER' })
  id!: string;

  @Column({ type: 'varchar', length: 20 })
  code!: string;

  @Column({ type: 'datetime2', nullable: true })
  dueAt!: Date | null;
}

let paper: TableModel;

beforeAll(async () => {
  [paper] = (await readEntities([PaperEntity])) as [TableModel];
});

function column(name: string, type: string, more: Partial<FoundColumn> = {}): FoundColumn {
  return { table: 'TB_PAPER', name, type, nullable: false, identity: false, fillsItself: false, ...more };
}

const ID = column('Id', 'BIGINT', { identity: true, fillsItself: true });
const CODE = column('Code', 'VARCHAR(20)');
const DUE = column('DueAt', 'DATETIME2', { nullable: true });

function found(...columns: string[]): FoundIndex {
  return { table: 'TB_PAPER', columns, unique: false, filtered: false };
}

const KEY: FoundIndex = { ...found('Id'), unique: true };
const UNIQUE_CODE: FoundIndex = { ...found('Code'), unique: true };
const DUE_INDEX: FoundIndex = { ...found('DueAt', 'Id'), filtered: true };

const columns = (...list: FoundColumn[]) => driftOfColumns(paper, list).map(inShort);
const indexes = (...list: FoundIndex[]) => driftOfIndexes(paper, list).map(inShort);

function inShort({ severity, text }: { severity: string; text: string }): string {
  return `${severity}: ${text}`;
}

it('finds nothing where all is as described, whatever the case of names and the order of columns', () => {
  const lower = [DUE, CODE, ID].map((one) => ({ ...one, table: 'tb_paper', name: one.name.toLowerCase() }));
  expect(driftOfColumns(paper, lower)).toEqual([]);
  expect(driftOfIndexes(paper, [KEY, UNIQUE_CODE, DUE_INDEX])).toEqual([]);
  const other = { ...UNIQUE_CODE, table: 'tb_paper', columns: ['code'] };
  expect(driftOfIndexes(paper, [KEY, other, DUE_INDEX])).toEqual([]);
});

it('does not mind what is wider, or of others', () => {
  const others = [column('Note', 'TEXT', { nullable: true }), column('Kind', 'INT', { fillsItself: true })];
  expect(columns(ID, column('Code', 'VARCHAR(MAX)'), DUE, ...others)).toEqual([]);
  expect(indexes(KEY, UNIQUE_CODE, DUE_INDEX, found('Code', 'DueAt'))).toEqual([]);
});

it('refuses a table that is not there', () => {
  expect(columns({ ...ID, table: 'TB_OTHER' })).toEqual([
    expect.stringMatching(/^refuse: dbo\.TB_PAPER does not exist/),
  ]);
});

it('refuses a column that is not there', () => {
  expect(columns(ID, CODE)).toEqual([
    expect.stringMatching(/^refuse: dbo\.TB_PAPER has no column DueAt \(DATETIME2 NULL\).* 207/),
  ]);
});

it.each([
  ['refuse', 'INT', /is INT, expected VARCHAR\(20\)/],
  ['warn', 'VARCHAR(10)', /is VARCHAR\(10\), expected VARCHAR\(20\)/],
  ['warn', 'NVARCHAR(20)', /is NVARCHAR\(20\)/],
  ['warn', 'NVARCHAR(MAX)', /is NVARCHAR\(MAX\)/],
  ['refuse', 'VARBINARY(20)', /is VARBINARY\(20\)/],
])('answers with "%s" to a text column that is %s', (severity, type, text) => {
  const [finding, ...none] = driftOfColumns(paper, [ID, column('Code', type), DUE]);
  expect(finding).toMatchObject({ severity, text: expect.stringMatching(text) });
  expect(none).toEqual([]);
});

it('warns of a date of another type', () => {
  expect(columns(ID, CODE, { ...DUE, type: 'DATETIME' })).toEqual([
    expect.stringMatching(/^warn: .*DueAt is DATETIME, expected DATETIME2/),
  ]);
});

it('refuses a column that must have what rows may lack, and warns of the other way round', () => {
  expect(columns(ID, CODE, { ...DUE, nullable: false })).toEqual([
    expect.stringMatching(/^refuse: dbo\.TB_PAPER\.DueAt is NOT NULL.* 515/),
  ]);
  expect(columns(ID, { ...CODE, nullable: true }, DUE)).toEqual([
    expect.stringMatching(/^warn: dbo\.TB_PAPER\.Code allows NULL/),
  ]);
});

it('refuses a key that does not count by itself', () => {
  expect(columns({ ...ID, identity: false, fillsItself: false }, CODE, DUE)).toEqual([
    expect.stringMatching(/^refuse: dbo\.TB_PAPER\.Id is not an IDENTITY column/),
  ]);
});

it('refuses a column nobody here fills', () => {
  expect(columns(ID, CODE, DUE, column('Site', 'INT'))).toEqual([
    expect.stringMatching(/^refuse: dbo\.TB_PAPER\.Site is NOT NULL.*no default.* 515/),
  ]);
});

it('refuses a missing unique index, which nothing else can stand for', () => {
  for (const instead of [
    found('Code'),
    { ...UNIQUE_CODE, filtered: true },
    { ...found('Code', 'Id'), unique: true },
  ]) {
    expect(indexes(KEY, instead, DUE_INDEX)).toEqual([
      expect.stringMatching(/^refuse: dbo\.TB_PAPER has no unique index on \(Code\).*UQ_TB_PAPER_Code/),
    ]);
  }
});

it('warns of any other that is missing', () => {
  expect(indexes(KEY, UNIQUE_CODE, found('Id', 'DueAt'))).toEqual([
    expect.stringMatching(
      /^warn: dbo\.TB_PAPER has no index on \(DueAt, Id\) WHERE DueAt IS NOT NULL.*IX_TB_PAPER_Due/,
    ),
  ]);
});

it('takes an index without the filter for the one with it: not every server tells filters', () => {
  expect(indexes(KEY, UNIQUE_CODE, { ...DUE_INDEX, filtered: false })).toEqual([]);
});
