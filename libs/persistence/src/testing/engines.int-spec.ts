import { afterAll, expect, it } from '@jest/globals';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { describeEachEngine } from './engines.ts';

@Entity('TB_TEST_PARENT')
class ParentEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_TEST_PARENT' })
  id!: string;

  @Column({ type: 'varchar', length: 20 })
  name!: string;
}

@Entity('TB_TEST_CHILD')
class ChildEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_TB_TEST_CHILD' })
  id!: string;

  @ManyToOne(() => ParentEntity, { nullable: false })
  @JoinColumn({ name: 'ParentIdFk', foreignKeyConstraintName: 'FK_TB_TEST_CHILD_Parent' })
  parent!: Relation<ParentEntity>;
}

const extraSql = [
  'CREATE TABLE dbo.TB_TEST_PARENT (Id BIGINT IDENTITY(1,1) PRIMARY KEY, Name VARCHAR(20) NOT NULL)',
  'CREATE TABLE dbo.TB_TEST_CHILD (Id BIGINT IDENTITY(1,1) PRIMARY KEY, ' +
    'ParentIdFk BIGINT NOT NULL CONSTRAINT FK_TB_TEST_CHILD_Parent REFERENCES dbo.TB_TEST_PARENT (Id))',
];

const seen: string[] = [];

describeEachEngine('a test database', { entities: [ParentEntity, ChildEntity], extraSql }, (engine) => {
  it.each([1, 2])('begins with empty tables, time %i', async () => {
    seen.push(engine.name);
    const parents = await engine.uow.run(async (tx) => {
      const before = await tx.entities.count(ParentEntity);
      const parent = await tx.entities.save(ParentEntity, { name: 'one' });
      await tx.entities.save(ChildEntity, { parent });
      return before;
    });

    expect(parents).toBe(0);
    expect(engine.database.unitOfWork).toBe(engine.uow);
    expect(engine.databaseUrl).toMatch(engine.name === 'sqlite' ? /^sqlite:/ : /^mssql:/);
  });
});

describeEachEngine('an id', { entities: [ParentEntity], extraSql: extraSql.slice(0, 1) }, (engine) => {
  it('is text, whether it was just made or read', async () => {
    await engine.uow.run(async (tx) => {
      const { id } = await tx.entities.save(ParentEntity, { name: 'one' });
      const [read] = await tx.entities.find(ParentEntity);
      expect([typeof id, read?.id]).toEqual(['string', id]);
    });
  });
});

afterAll(() => {
  const engines = process.env.TEST_DATABASE_URL ? ['sqlite', 'sqlserver'] : ['sqlite'];
  expect([...new Set(seen)]).toEqual(engines);
});
