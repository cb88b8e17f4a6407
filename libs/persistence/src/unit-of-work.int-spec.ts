import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Database } from './database.ts';
import { describeEachEngine } from './testing/index.ts';
import { SAMPLE_SQL, SampleEntity } from './testing/sample.entity.ts';
import { asDate, type Tx, varchar } from './tx.ts';
import { type UnitOfWork } from './unit-of-work.ts';

const options = { entities: [SampleEntity], extraSql: [SAMPLE_SQL] };

async function insert(tx: Tx, code: string): Promise<void> {
  await tx.execute(`INSERT INTO ${tx.dialect.table('TB_SAMPLE')} (Code) VALUES (@code)`, {
    code: varchar(code, 20),
  });
}

describeEachEngine('the unit of work', options, (engine) => {
  const codes = async (database: Database = engine.database) => {
    const rows = await database.unitOfWork.read((tx) =>
      tx.query<{ Code: string }>(`SELECT Code AS Code FROM ${tx.dialect.table('TB_SAMPLE')} ORDER BY Id`),
    );
    return rows.map(({ Code }) => Code);
  };

  it('keeps what it answered and nothing else, whatever overlaps, awaits and fails', async () => {
    const total = engine.name === 'sqlite' ? 2000 : 200;
    const answers = await Promise.allSettled(
      Array.from({ length: total }, (_, n) =>
        engine.uow.run(async (tx) => {
          await insert(tx, `C${n}`);
          if (n % 3 === 0) await sleep(0);
          if (n % 10 === 0) throw new Error('rolled back on purpose');
          return `C${n}`;
        }),
      ),
    );
    const answered = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    expect(answered).toHaveLength(total * 0.9);

    const witness = Database.open(engine.databaseUrl, [SampleEntity]);
    try {
      expect((await codes(witness)).sort()).toEqual(answered.sort());
    } finally {
      await witness.close();
    }
  });

  it('rolls back TypeORM entity writes together with statements', async () => {
    await expect(
      engine.uow.run(async (tx) => {
        await insert(tx, 'STATEMENT');
        await tx.entities.save(SampleEntity, { code: 'ENTITY', text: 'é 🚚', flag: true });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await codes()).toEqual([]);
  });

  it('reads entities back with their types', async () => {
    await engine.uow.run((tx) =>
      tx.entities.save(SampleEntity, { code: 'ENTITY', text: 'é 🚚', flag: true }),
    );
    const [found] = await engine.uow.read((tx) => tx.entities.find(SampleEntity));
    expect(found).toMatchObject({ code: 'ENTITY', text: 'é 🚚', flag: true, counter: 0 });
    expect(Math.abs(Date.now() - (found?.createdAt.getTime() ?? 0))).toBeLessThan(60_000);
  });

  it('refuses to nest', async () => {
    await expect(engine.uow.run(() => engine.uow.run((tx) => insert(tx, 'INNER')))).rejects.toThrow(
      /inside another/,
    );
  });

  it('calls afterCommit listeners once the row is visible, and never after a rollback', async () => {
    const heard: string[] = [];
    await engine.uow.run(async (tx) => {
      tx.afterCommit(() => heard.push('committed'));
      await insert(tx, 'A');
      expect(heard).toEqual([]);
    });
    await engine.uow
      .run((tx) => {
        tx.afterCommit(() => heard.push('rolled back'));
        return Promise.reject(new Error('no'));
      })
      .catch(() => undefined);
    expect(heard).toEqual(['committed']);
  });

  it('tells a duplicate key from other errors, and finds the row that has it', async () => {
    await engine.uow.run(async (tx) => {
      await insert(tx, 'TWICE');
    });
    const error: unknown = await engine.uow
      .run((tx) => insert(tx, 'TWICE'))
      .catch((reason: unknown) => reason);
    expect(engine.uow.dialect.isDuplicateKey(error)).toBe(true);
    expect(engine.uow.dialect.isDuplicateKey(new Error('other'))).toBe(false);
    const result = await engine.uow.run(async (tx) => {
      const again = await tx.dialect.insertOnce(tx, 'TB_SAMPLE', { Code: varchar('TWICE', 20) }, 'Code');
      const fresh = await tx.dialect.insertOnce(tx, 'TB_SAMPLE', { Code: varchar('ONCE', 20) }, 'Code', {
        Counter: '3 + 4',
      });
      return { again, fresh };
    });
    expect(result).toMatchObject({ again: { inserted: false }, fresh: { inserted: true } });
    expect(await codes()).toEqual(['TWICE', 'ONCE']);
  });

  it('inserts a key once when many race for it', async () => {
    const results = await Promise.all(
      Array.from({ length: 10 }, () =>
        engine.uow.run((tx) => tx.dialect.insertOnce(tx, 'TB_SAMPLE', { Code: varchar('RACE', 20) }, 'Code')),
      ),
    );
    expect(results.filter(({ inserted }) => inserted)).toHaveLength(1);
    expect(new Set(results.map(({ id }) => id)).size).toBe(1);
  });

  it('inserts many at once, and those that exist not again', async () => {
    const rows = Array.from({ length: 123 }, (_, n) => ({
      Code: varchar(`M${n}`, 20),
      Text: n % 2 ? `"quoted" \\ ${n} 🚚` : null,
    }));
    await engine.uow.run((tx) => insert(tx, 'M7'));
    const twice = { Code: varchar('m8', 20), Text: 'the second of one key' };
    const insertAll = () =>
      engine.uow.run((tx) =>
        tx.dialect.insertAllOnce(tx, 'TB_SAMPLE', rows.toSpliced(20, 0, twice), 'Code', (column) => ({
          Counter: `CASE WHEN ${column('Code')} = 'M5' THEN 5 ELSE 1 END`,
        })),
      );
    await insertAll();
    await insertAll();

    const stored = await engine.uow.read((tx) => tx.entities.find(SampleEntity));
    const byCode = new Map(stored.map((row) => [row.code, row]));
    expect(stored).toHaveLength(123);
    expect(byCode.get('M5')).toMatchObject({ counter: 5, text: '"quoted" \\ 5 🚚' });
    expect(byCode.get('M7')).toMatchObject({ counter: 0, text: null });
    expect(byCode.get('M8')).toMatchObject({ counter: 1, text: null });
    expect(byCode.get('M122')).toMatchObject({ counter: 1, text: null });
  });

  it('inserts many rows, or none of them when one is refused', async () => {
    const rows = (name: string) =>
      Array.from({ length: 234 }, (_, n) => ({
        Code: varchar(`${name}${n}`, 20),
        Text: n % 2 ? null : `linha ${n} ✓`,
        Counter: n,
        Flag: n % 3 === 0,
      }));
    await engine.uow.run((tx) => tx.dialect.insertAll(tx, 'TB_SAMPLE', rows('A')));
    const refused = rows('B').with(200, { Code: varchar('A7', 20), Text: null, Counter: 0, Flag: false });
    const error: unknown = await engine.uow
      .run((tx) => tx.dialect.insertAll(tx, 'TB_SAMPLE', refused))
      .catch((reason: unknown) => reason);

    expect(engine.uow.dialect.isDuplicateKey(error)).toBe(true);
    const stored = await engine.uow.read((tx) => tx.entities.find(SampleEntity));
    const byCode = new Map(stored.map((row) => [row.code, row]));
    expect(stored).toHaveLength(234);
    expect(byCode.get('A232')).toMatchObject({ text: 'linha 232 ✓', counter: 232, flag: false });
    expect(byCode.get('A233')).toMatchObject({ text: null, counter: 233 });
  });

  it('changes one row and tells its new values, one caller after the other', async () => {
    await engine.uow.run((tx) => insert(tx, 'COUNTED'));
    const count = (uow: UnitOfWork, code = 'COUNTED') =>
      uow.run((tx) =>
        tx.dialect.changeOne<{ Counter: number }>(
          tx,
          { table: 'TB_SAMPLE', set: 'Counter = Counter + 1', key: ['Code'], returning: ['Counter'] },
          { Code: varchar(code, 20) },
        ),
      );
    const other = Database.open(engine.databaseUrl, [SampleEntity]);
    try {
      const uows = [engine.uow, other.unitOfWork];
      const rows = await Promise.all(Array.from({ length: 20 }, (_, n) => count(uows[n % 2] ?? engine.uow)));
      const counters = rows.map((row) => row?.Counter ?? 0);
      expect(counters.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    } finally {
      await other.close();
    }
    expect(await count(engine.uow, 'NOBODY')).toBeUndefined();
  });

  it('takes keys that differ in case only for one key, and keeps the first spelling', async () => {
    const insertOnce = (code: string) =>
      engine.uow.run((tx) => tx.dialect.insertOnce(tx, 'TB_SAMPLE', { Code: varchar(code, 20) }, ['Code']));
    const first = await insertOnce('Tck-1');
    expect(await insertOnce('TCK-1')).toEqual({ id: first.id, inserted: false });

    const error: unknown = await engine.uow
      .run((tx) => insert(tx, 'tck-1'))
      .catch((reason: unknown) => reason);
    expect(engine.uow.dialect.isDuplicateKey(error)).toBe(true);
    expect(await codes()).toEqual(['Tck-1']);
  });

  it('refuses a value that does not fit its column', async () => {
    await expect(
      engine.uow.run((tx) => tx.entities.insert(SampleEntity, { code: 'X'.repeat(21) })),
    ).rejects.toThrow();
    expect(await codes()).toEqual([]);
  });

  it('moves the database clock by milliseconds, both ways', async () => {
    const [row] = await engine.uow.read((tx) =>
      tx.query(
        `SELECT ${tx.dialect.now} AS Now, ${tx.dialect.nowPlusMs('@later')} AS Later, ${tx.dialect.nowPlusMs('@earlier')} AS Earlier`,
        { later: 90_500, earlier: -1_500 },
      ),
    );
    const at = (value: unknown) => asDate(value)?.getTime() ?? 0;
    expect(Math.abs(at(row?.Later) - at(row?.Now) - 90_500)).toBeLessThanOrEqual(50);
    expect(Math.abs(at(row?.Earlier) - at(row?.Now) + 1_500)).toBeLessThanOrEqual(50);
  });

  it('claims each row for one of many claimers', async () => {
    await engine.uow.run(async (tx) => {
      for (let n = 0; n < 60; n += 1) await insert(tx, `C${n}`);
    });
    const claim = () =>
      engine.uow.run((tx) =>
        tx.query<{ Code: string }>(
          tx.dialect.claim({
            table: 'TB_SAMPLE',
            set: () => 'Counter = 1',
            where: (row) => `${row}.Counter = 0`,
            orderBy: (row) => `${row}.Id`,
            limit: 'limit',
            returning: ['Code'],
          }),
          { limit: 7 },
        ),
      );
    const claimed: string[] = [];
    for (let round = 0; round < 20 && claimed.length < 60; round += 1) {
      const batches = await Promise.all([claim(), claim(), claim(), claim()]);
      claimed.push(...batches.flat().map(({ Code }) => Code));
    }
    expect(claimed).toHaveLength(60);
    expect(new Set(claimed).size).toBe(60);
  });

  it('updates many rows from one JSON parameter', async () => {
    await engine.uow.run(async (tx) => {
      await insert(tx, 'A');
      await insert(tx, 'B');
    });
    const rows = await engine.uow.run((tx) =>
      tx.query<{ Code: string }>(
        tx.dialect.update({
          table: 'TB_SAMPLE',
          from: tx.dialect.jsonRows('rows', { Code: 'varchar(20)', Counter: 'int', Text: 'nvarchar(100)' }),
          set: () => 'Counter = r.Counter, Text = r.Text',
          where: (row) => `${row}.Code = r.Code`,
          returning: ['Code', 'Counter', 'Text'],
        }),
        {
          rows: JSON.stringify([
            { Code: 'B', Counter: 7, Text: '🚚' },
            { Code: 'Z', Counter: 1, Text: null },
          ]),
        },
      ),
    );
    expect(rows).toEqual([{ Code: 'B', Counter: 7, Text: '🚚' }]);
  });

  it('updates the rows whose ids it is given, where the condition holds', async () => {
    const ids = await engine.uow.run(async (tx) => {
      const row = { Text: null, Counter: 2 };
      const a = await tx.dialect.insertOnce(tx, 'TB_SAMPLE', { ...row, Code: 'A' }, 'Code');
      const b = await tx.dialect.insertOnce(tx, 'TB_SAMPLE', { ...row, Code: 'B' }, 'Code');
      return [a.id, b.id];
    });
    const rows = await engine.uow.run((tx) =>
      tx.query<{ Code: string; Counter: number }>(
        tx.dialect.update({
          table: 'TB_SAMPLE',
          byId: tx.dialect.jsonRows('rows', { Id: 'bigint', More: 'int' }),
          set: (row) => `Counter = ${row}.Counter + r.More`,
          where: (row) => `${row}.Code <> 'B'`,
          returning: ['Code', 'Counter'],
        }),
        { rows: JSON.stringify(ids.map((Id) => ({ Id, More: 5 }))) },
      ),
    );
    expect(rows).toEqual([{ Code: 'A', Counter: 7 }]);
  });

  it('claims so many rows of each group, and none of the others', async () => {
    await engine.uow.run(async (tx) => {
      for (let n = 0; n < 4; n += 1)
        for (const Text of ['x', 'y', 'z']) {
          await tx.dialect.insertOnce(tx, 'TB_SAMPLE', { Code: `${Text}${n}`, Text }, 'Code');
        }
    });
    const claim = (groups: readonly string[]) =>
      engine.uow.run((tx) =>
        tx.query<{ Code: string }>(
          tx.dialect.claim({
            table: 'TB_SAMPLE',
            set: () => 'Counter = 1',
            where: (row) => `${row}.Counter = 0`,
            orderBy: (row) => `${row}.Id`,
            limit: 'limit',
            groups: { column: 'Text', parameter: 'groups' },
            returning: ['Code'],
          }),
          { limit: 3, groups: JSON.stringify(groups.map((Name) => ({ Name }))) },
        ),
      );
    const codes = (rows: readonly { Code: string }[]) => rows.map(({ Code }) => Code).sort();
    expect(codes(await claim(['x', 'z', 'nobody']))).toEqual(['x0', 'x1', 'x2', 'z0', 'z1', 'z2']);
    expect(codes(await claim(['x', 'y']))).toEqual(['x3', 'y0', 'y1', 'y2']);
    expect(await claim([])).toEqual([]);
  });

  it('finds the smallest value of each group of several sources in one statement', async () => {
    await engine.uow.run(async (tx) => {
      for (const code of ['b1', 'a1', 'a2']) await insert(tx, code);
    });
    const source = { table: 'TB_SAMPLE', value: 'CreatedAt' };
    const found = await engine.uow.read((tx) =>
      tx.query<{ Source: number; GroupKey: string; Smallest: unknown; Now: unknown }>(
        tx.dialect.groupMinima([
          { ...source, group: 'Code', where: (row) => `${row}.Code < 'b'` },
          { ...source, group: 'Code', where: (row) => `${row}.Code = 'nobody'` },
          { ...source, group: null, where: (row) => `${row}.Code > 'a'` },
        ]),
      ),
    );
    expect(found.map(({ Source, GroupKey }) => [Source, GroupKey])).toEqual([
      [0, 'a1'],
      [0, 'a2'],
      [2, ''],
    ]);
    for (const { Smallest, Now } of found) {
      expect(asDate(Smallest)?.getTime()).toBeLessThanOrEqual(asDate(Now)?.getTime() ?? 0);
    }
  });

  it('answers although a listener throws, and goes on', async () => {
    const heard: string[] = [];
    const result = await engine.uow.run(async (tx) => {
      await insert(tx, 'L');
      tx.afterCommit(() => {
        throw new Error('a listener of no consequence');
      });
      tx.afterCommit(() => heard.push('second'));
      return 'durable';
    });
    expect(result).toBe('durable');
    expect(heard).toEqual(['second']);
    await engine.uow.run((tx) => insert(tx, 'M'));
  });

  it('refuses text that is no text', async () => {
    const store = (value: string) =>
      engine.uow.run((tx) =>
        tx.execute(`INSERT INTO ${tx.dialect.table('TB_SAMPLE')} (Code, Text) VALUES ('X', @value)`, {
          value,
        }),
      );
    await expect(store('half \ud83d')).rejects.toMatchObject({ kind: 'invalid', code: 'malformed-text' });
    await store('whole 🚚');
  });

  // One writer at a time cannot deadlock: SQLite has nothing to prove here.
  const itOnSqlServer = engine.name === 'sqlserver' ? it : it.skip;
  itOnSqlServer(
    're-runs the whole unit of work when it was a deadlock victim',
    async () => {
      await engine.uow.run(async (tx) => {
        await insert(tx, 'A');
        await insert(tx, 'B');
      });
      const runs: string[] = [];
      const touch = (tx: Tx, code: string) =>
        tx.execute(`UPDATE ${tx.dialect.table('TB_SAMPLE')} SET Counter = Counter + 1 WHERE Code = @code`, {
          code: varchar(code, 20),
        });
      const work = (first: string, second: string) =>
        engine.uow.run(async (tx) => {
          runs.push(first);
          await touch(tx, first);
          await sleep(300);
          await touch(tx, second);
        });
      await Promise.all([work('A', 'B'), work('B', 'A')]);
      expect(runs.length).toBeGreaterThan(2);
      const counters = await engine.uow.read((tx) =>
        tx.query<{ Counter: number }>(`SELECT Counter AS Counter FROM ${tx.dialect.table('TB_SAMPLE')}`),
      );
      expect(counters.map(({ Counter }) => Counter)).toEqual([2, 2]);
    },
    60_000,
  );

  itOnSqlServer(
    're-runs it when the deadlock was about application locks',
    async () => {
      let runs = 0;
      const work = (first: string, second: string) =>
        engine.uow.run(async (tx) => {
          runs += 1;
          await tx.dialect.lock(tx, first);
          await sleep(300);
          await tx.dialect.lock(tx, second);
        });
      await Promise.all([work('a', 'b'), work('b', 'a')]);
      expect(runs).toBeGreaterThan(2);
    },
    60_000,
  );
});
