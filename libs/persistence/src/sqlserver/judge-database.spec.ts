import { beforeAll, expect, it } from '@jest/globals';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { type TableModel } from '../schema/schema-model.ts';
import { readEntities } from '../testing/entity-reader.ts';
import { type DatabaseFacts, type Settings } from './database-facts.ts';
import { judgeDatabase } from './judge-database.ts';

@Entity('TB_PLAIN')
class PlainEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_PLAIN' })
  id!: string;
}

@Entity('TB_FILTERED')
@Index('IX_TB_FILTERED_Code', ['code'], { where: 'Code IS NOT NULL' })
class FilteredEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_FILTERED' })
  id!: string;

  @Column({ type: 'varchar', length: 20, nullable: true })
  code!: string | null;
}

let tables: readonly TableModel[];

beforeAll(async () => {
  tables = await readEntities([PlainEntity, FilteredEntity]);
});

const settings: Settings = { database: 'REDEXV2', compatibilityLevel: 150, readCommittedSnapshot: true };
const id = { name: 'Id', type: 'BIGINT', nullable: false, identity: true, fillsItself: true };
const code = { name: 'Code', type: 'VARCHAR(20)', nullable: true, identity: false, fillsItself: false };
const byId = { columns: ['Id'], unique: true, filtered: false };
const byCode = { table: 'TB_FILTERED', columns: ['Code'], unique: false, filtered: true };

const allIsWell: DatabaseFacts = {
  settings: { value: settings },
  hasOpenJson: { value: true },
  triggers: { value: [] },
  oldModules: { value: [] },
  columns: {
    value: [
      { table: 'TB_PLAIN', ...id },
      { table: 'TB_FILTERED', ...id },
      { table: 'TB_FILTERED', ...code },
    ],
  },
  indexes: { value: [{ table: 'TB_PLAIN', ...byId }, { table: 'TB_FILTERED', ...byId }, byCode] },
};

/** All but the state of READ_COMMITTED_SNAPSHOT, which is always told. */
function judged(facts: Partial<DatabaseFacts>) {
  return judgeDatabase({ ...allIsWell, ...facts }, tables).filter(
    ({ check }) => check !== 'read-committed-snapshot',
  );
}

const matching = (severity: string, check: string, text: RegExp) => ({
  severity,
  check,
  text: expect.stringMatching(text),
});

it('has nothing to say of a database that is as it should be', () => {
  expect(judged({})).toEqual([]);
});

it.each([
  [true, /is ON/],
  [false, /is OFF: readers wait for writers.*ALTER DATABASE \[REDEXV2\] SET READ_COMMITTED_SNAPSHOT ON/],
])('tells for the record whether READ_COMMITTED_SNAPSHOT is on: %s', (readCommittedSnapshot, text) => {
  const facts = { ...allIsWell, settings: { value: { ...settings, readCommittedSnapshot } } };
  expect(judgeDatabase(facts, tables)).toEqual([matching('info', 'read-committed-snapshot', text)]);
});

it('refuses a database without OPENJSON, and says which compatibility level has it', () => {
  const old = {
    settings: { value: { ...settings, compatibilityLevel: 120 } },
    hasOpenJson: { value: false },
  };
  expect(judged(old)).toEqual([
    matching('refuse', 'openjson', /is 120.*130.*ALTER DATABASE \[REDEXV2\] SET COMPATIBILITY_LEVEL = 130/),
  ]);
  expect(judged({ ...old, settings: { unknown: 'no right' } })).toContainEqual(
    matching('refuse', 'openjson', /SET COMPATIBILITY_LEVEL = 130/),
  );
});

it('believes a server of low compatibility level that has OPENJSON all the same', () => {
  const settingsOf120 = { value: { ...settings, compatibilityLevel: 120 } };
  expect(judged({ settings: settingsOf120 })).toEqual([]);
  expect(judged({ settings: settingsOf120, hasOpenJson: { unknown: 'too slow' } })).toEqual([
    matching('warn', 'openjson', /could not be checked: too slow/),
  ]);
});

it('refuses triggers that make OUTPUT fail, once for each, and no others', () => {
  const trigger = (table: string, name: string, event?: string) => ({ table, name, event });
  const found = [
    trigger('tb_plain', 'trg_audit', 'INSERT'),
    trigger('tb_plain', 'trg_audit', 'UPDATE'),
    trigger('TB_PLAIN', 'trg_unknown'),
    trigger('TB_PLAIN', 'trg_delete', 'DELETE'),
    trigger('TB_OTHER', 'trg_other', 'INSERT'),
  ];
  expect(judged({ triggers: { value: found } })).toEqual([
    matching(
      'refuse',
      'triggers',
      /dbo\.TB_PLAIN has the trigger trg_audit \(INSERT, UPDATE\).* 334.*DISABLE TRIGGER/,
    ),
    matching('refuse', 'triggers', /dbo\.TB_PLAIN has the trigger trg_unknown: /),
  ]);
});

it.each([
  'CREATE PROCEDURE x AS UPDATE [dbo].[TB_FILTERED] SET Code = 1',
  'create procedure x as insert tb_filtered (Code) values (1)',
  'CREATE TRIGGER x ON dbo.TB_OTHER AFTER INSERT AS DELETE FROM TB_FILTERED',
])(
  'warns of modules with QUOTED_IDENTIFIER OFF that write to a table with a filtered index: %s',
  (definition) => {
    expect(judged({ oldModules: { value: [{ name: 'dbo.x', definition }] } })).toEqual([
      matching(
        'warn',
        'old-modules',
        /dbo\.x .*QUOTED_IDENTIFIER OFF.*dbo\.TB_FILTERED.* 1934.*CREATE OR ALTER/,
      ),
    ]);
  },
);

it.each([
  'CREATE VIEW x AS SELECT Id FROM dbo.TB_FILTERED',
  'CREATE PROCEDURE x AS UPDATE dbo.TB_PLAIN SET Code = 1',
  'CREATE PROCEDURE x AS /* UPDATE */ SELECT Id FROM dbo.TB_FILTERED -- UPDATE',
])('leaves alone those that do not: %s', (definition) => {
  expect(judged({ oldModules: { value: [{ name: 'dbo.x', definition }] } })).toEqual([]);
});

it('hands on how tables differ from the entities', () => {
  const drifted = {
    columns: { value: [{ table: 'TB_FILTERED', ...id }] },
    indexes: {
      value: [
        { table: 'TB_PLAIN', ...byId },
        { table: 'TB_FILTERED', ...byId },
      ],
    },
  };
  expect(judged(drifted)).toEqual([
    matching('refuse', 'tables', /dbo\.TB_PLAIN does not exist/),
    matching('refuse', 'columns', /dbo\.TB_FILTERED has no column Code/),
    matching('warn', 'indexes', /dbo\.TB_FILTERED has no index on \(Code\)/),
  ]);
});

it('says nothing of the indexes of a table that is not there', () => {
  const findings = judged({
    columns: { value: [{ table: 'TB_PLAIN', ...id }] },
    indexes: { value: [{ table: 'TB_PLAIN', ...byId }] },
  });
  expect(findings).toEqual([matching('refuse', 'tables', /TB_FILTERED/)]);
});

it('refuses nothing because it could not be checked', () => {
  const unknown = { unknown: 'Invalid object name' };
  const facts = {
    settings: unknown,
    hasOpenJson: unknown,
    triggers: unknown,
    oldModules: unknown,
    columns: unknown,
    indexes: unknown,
  };
  const findings = judgeDatabase(facts, tables);
  expect(findings.map(({ severity, check }) => `${check} ${severity}`)).toEqual([
    'openjson warn',
    'read-committed-snapshot info',
    'triggers warn',
    'old-modules info',
    'columns warn',
    'indexes warn',
  ]);
  for (const { text } of findings) expect(text).toMatch(/could not be checked: Invalid object name/);
});
