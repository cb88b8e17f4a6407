import { expect, it } from '@jest/globals';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Database, type EntityClass } from '../database.ts';
import { applyScripts } from '../schema-scripts.ts';
import { describeEachEngine } from '../testing/index.ts';
import { SAMPLE_SQL, SampleEntity } from '../testing/sample.entity.ts';

/** The same table as a later release would have it. */
@Entity('TB_SAMPLE')
@Index('IX_TB_SAMPLE_Code_Flag', ['code', 'flag'], { unique: true })
class LaterEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_SAMPLE' })
  id!: string;

  @Column({ type: 'varchar', length: 40 })
  code!: string;

  @Column({ type: 'bit' })
  flag!: boolean;

  @Column({ type: 'int' })
  text!: number;

  @Column({ type: 'datetime2', nullable: true })
  readAt!: Date | null;
}

@Entity('TB_NOWHERE')
class AbsentEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_NOWHERE' })
  id!: string;
}

const TRIGGER = `CREATE TRIGGER dbo.TR_SAMPLE_AUDIT ON dbo.TB_SAMPLE AFTER UPDATE AS BEGIN DECLARE @nothing INT; END`;

describeEachEngine(
  'inspecting a database',
  { entities: [SampleEntity], extraSql: [SAMPLE_SQL] },
  (engine) => {
    const itOnSqlServer = engine.name === 'sqlserver' ? it : it.skip;

    async function refusals(entities: readonly EntityClass[]): Promise<string[]> {
      const database = Database.open(engine.databaseUrl, entities);
      try {
        const findings = await database.inspect();
        return findings.filter(({ severity }) => severity === 'refuse').map(({ text }) => text);
      } finally {
        await database.close();
      }
    }

    const run = (sql: string) => applyScripts(engine.databaseUrl, [{ version: 0, name: 'spec', sql }]);

    it('refuses nothing of one that has what its entities describe', async () => {
      const findings = await engine.database.inspect();
      expect(findings.filter(({ severity }) => severity === 'refuse')).toEqual([]);
      const drift = findings.filter(({ check }) =>
        ['tables', 'columns', 'indexes', 'openjson'].includes(check),
      );
      expect(drift).toEqual([]);
    });

    it('has nothing to say to a service without tables', async () => {
      const database = Database.open(engine.databaseUrl, []);
      expect(await database.inspect()).toEqual([]);
      await database.close();
    });

    itOnSqlServer('tells what tables of another release lack', async () => {
      expect(await refusals([LaterEntity, AbsentEntity])).toEqual([
        expect.stringMatching(/^dbo\.TB_SAMPLE\.Text is NVARCHAR\(MAX\), expected INT/),
        expect.stringMatching(/^dbo\.TB_SAMPLE has no column ReadAt \(DATETIME2 NULL\)/),
        expect.stringMatching(/^dbo\.TB_NOWHERE does not exist/),
        expect.stringMatching(/^dbo\.TB_SAMPLE has no unique index on \(Code, Flag\)/),
      ]);
    });

    itOnSqlServer('finds a trigger, and forgets it when it is gone', async () => {
      await run(TRIGGER);
      const withTrigger = await refusals([SampleEntity]);
      await run('DROP TRIGGER dbo.TR_SAMPLE_AUDIT');
      expect(withTrigger).toEqual([
        expect.stringMatching(/^dbo\.TB_SAMPLE has the trigger tr_sample_audit/i),
      ]);
      expect(await refusals([SampleEntity])).toEqual([]);
    });
  },
);
