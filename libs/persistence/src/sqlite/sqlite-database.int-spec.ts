import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Libsql from 'libsql';
import { Database } from '../database.ts';
import { gate } from '../testing/gate.ts';
import { SampleEntity } from '../testing/sample.entity.ts';

describe('a SQLite database', () => {
  let folder: string;
  let file: string;
  let database: Database;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'malote-sqlite-'));
    file = join(folder, 'deep', 'malote.db');
    database = Database.open(`sqlite:${file}`, [SampleEntity]);
  });

  afterEach(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const add = (code: string) => database.unitOfWork.run((tx) => tx.entities.insert(SampleEntity, { code }));

  it('is durable: WAL with synchronous=FULL', async () => {
    await database.ping();
    const [mode] = await database.unitOfWork.read((tx) => tx.query('PRAGMA journal_mode'));
    const [level] = await database.unitOfWork.read((tx) => tx.query('PRAGMA synchronous'));
    expect({ ...mode, ...level }).toMatchObject({ journal_mode: 'wal', synchronous: 2 });
  });

  it('is unavailable while its file is away, acknowledges nothing, and recovers when the file is back', async () => {
    await add('BEFORE');
    renameSync(file, `${file}.away`);
    await expect(add('AWAY')).rejects.toMatchObject({ kind: 'unavailable', code: 'database-unavailable' });
    await expect(database.ping()).rejects.toMatchObject({ kind: 'unavailable' });
    renameSync(`${file}.away`, file);
    await add('AFTER');
    const rows = await database.unitOfWork.read((tx) =>
      tx.entities.find(SampleEntity, { order: { id: 'ASC' } }),
    );
    expect(rows.map(({ code }) => code)).toEqual(['BEFORE', 'AFTER']);
  });

  describe('is unavailable, and recovers by itself,', () => {
    const away = { kind: 'unavailable', code: 'database-unavailable' };

    it.each(['a folder', 'a link to itself'])('when there is %s in place of its file', async (what) => {
      await add('BEFORE');
      renameSync(file, `${file}.kept`);
      if (what === 'a folder') mkdirSync(file);
      else symlinkSync(file, file);
      await expect(add('AWAY')).rejects.toMatchObject(away);
      await expect(database.ping()).rejects.toMatchObject(away);

      rmSync(file, { recursive: true });
      renameSync(`${file}.kept`, file);
      await expect(add('AFTER')).resolves.toBeDefined();
    });

    it.each([
      ['when its folder is a file', 'deep', 'malote.db'],
      ['when its folder is in a file', 'deep', 'further/down/malote.db'],
      ['when its file is no database', 'malote.db', '.'],
    ])('%s', async (_, inTheWay, below) => {
      const obstacle = join(folder, inTheWay);
      writeFileSync(obstacle, 'no database'.repeat(500));
      database = Database.open(`sqlite:${join(obstacle, below)}`, [SampleEntity]);
      await expect(add('AWAY')).rejects.toMatchObject(away);

      rmSync(obstacle);
      await expect(add('AFTER')).resolves.toBeDefined();
    });
  });

  it('waits for the lock of another process without blocking the event loop', async () => {
    await database.ping();
    const other = Database.open(`sqlite:${file}`, [SampleEntity]);
    let held = false;
    const holding = other.unitOfWork.run(async () => {
      held = true;
      await sleep(300);
      held = false;
    });
    await sleep(30);
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 10);
    await add('PATIENT');
    clearInterval(turning);
    expect(held).toBe(false);
    expect(turns).toBeGreaterThan(5);
    await holding;
    await other.close();
  });

  it('shares one commit between units of work that arrive together', async () => {
    await database.ping();
    await Promise.all(Array.from({ length: 50 }, (_, n) => add(`S${n}`)));
    const before = frames();
    await Promise.all(Array.from({ length: 50 }, (_, n) => add(`T${n}`)));
    expect(frames() - before).toBeLessThan(50);
  });

  it('answers everybody when the disk is full, and goes on when there is room again', async () => {
    await add('BEFORE');
    const limit = (pages: number) =>
      database.unitOfWork.read((tx) => tx.query(`PRAGMA max_page_count = ${pages}`));
    const fill = (code: string) =>
      database.unitOfWork.run((tx) => tx.entities.insert(SampleEntity, { code, text: 'x'.repeat(20_000) }));
    await limit(20);
    const answers = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => fill(`F${n}`)));
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      expect(answer).toMatchObject({ reason: { code: 'database-unavailable' } });
    }

    await limit(10_000);
    await add('AFTER');
    const rows = await database.unitOfWork.read((tx) => tx.entities.find(SampleEntity));
    expect(rows).toHaveLength(answers.length - refused.length + 2);
  });

  it('ends a transaction that was kept beyond its unit of work', async () => {
    const escaped: (() => Promise<unknown>)[] = [];
    await database.unitOfWork.run((tx) => {
      escaped.push(
        () => tx.query('SELECT 1'),
        async () => tx.entities.count(SampleEntity),
      );
      return Promise.resolve();
    });
    for (const use of escaped) await expect(use()).rejects.toThrow('has ended');
  });

  it('waits for what stands behind the lock of another process when it is closed', async () => {
    await database.ping();
    const other = Database.open(`sqlite:${file}`, [SampleEntity]);
    const held = gate();
    const holding = database.unitOfWork.run(() => held.opened);
    const behindTheLock = other.unitOfWork.run((tx) => tx.entities.insert(SampleEntity, { code: 'LATE' }));
    const closed = [database.close(), other.close()];
    held.open();
    await Promise.all([holding, behindTheLock, ...closed]);
  });

  it('leaves everything in the one file when it is closed last, and nothing is lost when it is not', async () => {
    const other = Database.open(`sqlite:${file}`, [SampleEntity]);
    await other.ping();
    await add('FIRST');
    await database.close();
    await other.unitOfWork.run((tx) => tx.entities.insert(SampleEntity, { code: 'SECOND' }));
    await other.close();

    const copy = join(folder, 'copy.db');
    copyFileSync(file, copy);
    database = Database.open(`sqlite:${copy}`, [SampleEntity]);
    const rows = await database.unitOfWork.read((tx) => tx.entities.find(SampleEntity));
    expect(rows.map(({ code }) => code)).toEqual(['FIRST', 'SECOND']);
  });

  it('adds the columns a newer release brings', async () => {
    await database.unitOfWork.run((tx) => tx.execute('ALTER TABLE TB_SAMPLE DROP COLUMN Text'));
    await database.close();
    database = Database.open(`sqlite:${file}`, [SampleEntity]);
    await database.unitOfWork.run((tx) =>
      tx.entities.insert(SampleEntity, { code: 'NEW', text: 'there again' }),
    );
  });

  /** Every commit of a row appends at least one frame to the log: few frames, few commits. */
  function frames(): number {
    return Math.floor(statSync(`${file}-wal`).size / 4120);
  }

  it('makes an index anew that a newer release has changed, and leaves the others alone', async () => {
    await add('KEPT');
    await database.close();
    const old = new Libsql(file);
    const indexes = () =>
      old.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY name").all();
    const wanted = indexes();
    expect(wanted).toHaveLength(1);
    old.exec('DROP INDEX UQ_TB_SAMPLE_Code; CREATE INDEX UQ_TB_SAMPLE_Code ON TB_SAMPLE (Text)');
    old.exec('CREATE INDEX IX_OF_A_DBA ON TB_SAMPLE (Counter)');

    database = Database.open(`sqlite:${file}`, [SampleEntity]);
    await expect(add('KEPT')).rejects.toThrow();
    await database.close();
    const names = (rows: unknown[]) => rows.map((row) => (row as { name: string }).name);
    expect(names(indexes())).toEqual(['IX_OF_A_DBA', 'UQ_TB_SAMPLE_Code']);

    const before = old.prepare('PRAGMA schema_version').get() as { schema_version: number };
    database = Database.open(`sqlite:${file}`, [SampleEntity]);
    await database.ping();
    await database.close();
    expect(old.prepare('PRAGMA schema_version').get()).toMatchObject({
      schema_version: before.schema_version,
    });
    old.close();
  });
});
