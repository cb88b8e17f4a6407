import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Database } from './database.ts';
import { gate } from './testing/gate.ts';
import { describeEachEngine } from './testing/index.ts';
import { SAMPLE_SQL, SampleEntity } from './testing/sample.entity.ts';

const closed = { kind: 'unavailable', code: 'database-closed' };

describeEachEngine('a database', { entities: [SampleEntity], extraSql: [SAMPLE_SQL] }, (engine) => {
  let database: Database;

  beforeEach(async () => {
    database = Database.open(engine.databaseUrl, [SampleEntity]);
    await database.ping();
  });

  afterEach(() => database.close(0));

  /** A unit of work that writes, waits for the gate, and writes again. */
  async function writeAround(opened: Promise<void>): Promise<{ readonly unit: Promise<void> }> {
    const begun = gate();
    const unit = database.unitOfWork.run(async (tx) => {
      await tx.entities.insert(SampleEntity, { code: 'BEFORE' });
      begun.open();
      await opened;
      await tx.entities.insert(SampleEntity, { code: 'AFTER' });
    });
    await begun.opened;
    return { unit };
  }

  const codes = () =>
    engine.uow.read(async (tx) => {
      const rows = await tx.entities.find(SampleEntity, { order: { id: 'ASC' } });
      return rows.map(({ code }) => code);
    });

  it('that is closed lets the work under way end, and refuses what comes later', async () => {
    const { opened, open } = gate();
    const { unit } = await writeAround(opened);
    let isClosed = false;
    const closing = database.close().then(() => (isClosed = true));

    await expect(database.ping()).rejects.toMatchObject(closed);
    expect(isClosed).toBe(false);
    open();
    await unit;
    await closing;
    expect(await codes()).toEqual(['BEFORE', 'AFTER']);
    expect(database.dataSource.isInitialized).toBe(false);
  });

  it('that is closed waits no longer than it was told', async () => {
    const { opened, open } = gate();
    const { unit } = await writeAround(opened);
    const cutOff = expect(unit).rejects.toThrow();
    await database.close(20);
    open();
    await cutOff;
    expect(await codes()).toEqual([]);
  });

  it('that was closed refuses work instead of connecting again', async () => {
    await database.close();
    await expect(database.ping()).rejects.toMatchObject(closed);
    expect(database.dataSource.isInitialized).toBe(false);
  });
});
