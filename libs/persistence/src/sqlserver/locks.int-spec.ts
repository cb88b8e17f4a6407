import { expect, it } from '@jest/globals';
import { Database } from '../database.ts';
import { gate } from '../testing/gate.ts';
import { describeEachEngine } from '../testing/index.ts';
import { SAMPLE_SQL, SampleEntity } from '../testing/sample.entity.ts';
import { type Tx, varchar } from '../tx.ts';

const touch = (tx: Tx) =>
  tx.execute(`UPDATE ${tx.dialect.table('TB_SAMPLE')} SET Counter = Counter + 1 WHERE Code = 'HELD'`);
const lock = (tx: Tx) => tx.dialect.lock(tx, 'held');
const lockAsSpeltElsewhere = (tx: Tx) => tx.dialect.lock(tx, 'HELD');
const insertOnce = (tx: Tx) => tx.dialect.insertOnce(tx, 'TB_SAMPLE', { Code: varchar('RACED', 20) }, 'Code');

describeEachEngine('locks', { entities: [SampleEntity], extraSql: [SAMPLE_SQL] }, (engine) => {
  // A SQLite file has one lock, and units of work of one process never meet at it.
  const itOnSqlServer = engine.name === 'sqlserver' ? it : it.skip;

  /** Another process that stops with its transaction open, until it is told to go on. */
  async function freezeAfter(work: (tx: Tx) => Promise<unknown>): Promise<() => Promise<void>> {
    const other = Database.open(engine.databaseUrl, [SampleEntity]);
    const frozen = gate();
    const thawed = gate();
    const unit = other.unitOfWork.run(async (tx) => {
      await work(tx);
      frozen.open();
      await thawed.opened;
    });
    await Promise.race([frozen.opened, unit]);
    return async () => {
      thawed.open();
      await unit;
      await other.close();
    };
  }

  async function outcomeOf(work: (tx: Tx) => Promise<unknown>) {
    const begun = performance.now();
    const outcome: unknown = await engine.uow.run(work).catch((error: unknown) => error);
    return { outcome, seconds: (performance.now() - begun) / 1000 };
  }

  itOnSqlServer('are waited for as every connection says at its login', async () => {
    const [row] = await engine.uow.read((tx) =>
      tx.query('SELECT @@LOCK_TIMEOUT AS [Wait], @@OPTIONS & 16384 AS [XactAbort]'),
    );
    expect(row).toEqual({ Wait: 5_000, XactAbort: 16_384 });
  });

  itOnSqlServer(
    'of a frozen process hold nobody up for long',
    async () => {
      await engine.uow.run((tx) => tx.entities.insert(SampleEntity, { code: 'HELD' }));
      const goOn = await freezeAfter(async (tx) => {
        await touch(tx);
        await lock(tx);
      });
      const [row, named] = await Promise.all([outcomeOf(touch), outcomeOf(lock)]);
      await goOn();

      expect(row.outcome).toBeInstanceOf(Error);
      expect(row.seconds).toBeLessThan(12);
      expect(named.outcome).toMatchObject({ kind: 'unavailable', code: 'database-busy' });
      expect(named.seconds).toBeGreaterThan(5);
      expect(named.seconds).toBeLessThan(12);
      expect(await engine.uow.run(touch)).toBe(1);
    },
    40_000,
  );

  itOnSqlServer('of a name are waited for, however it is spelt', async () => {
    const goOn = await freezeAfter(lock);
    const ended: string[] = [];
    const second = engine.uow.run(lockAsSpeltElsewhere).then(() => ended.push('second'));
    await new Promise((resolve) => setTimeout(resolve, 300));
    ended.push('first');
    await goOn();
    await second;
    expect(ended).toEqual(['first', 'second']);
  });

  itOnSqlServer('of a key that is being inserted are waited for, and its row is found then', async () => {
    const goOn = await freezeAfter(insertOnce);
    const second = engine.uow.run(insertOnce);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await goOn();
    expect(await second).toMatchObject({ inserted: false });
  });
});
