import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { describeEachEngine } from '@malote/persistence/testing';
import { FAST, keys, LANE_FIXTURE_OPTIONS, LaneFixture, sampleLane } from '../testing/index.ts';

/** Rows that may have ended the workers that held them. */
describeEachEngine('a row that may end the process', LANE_FIXTURE_OPTIONS, (engine) => {
  const lane = new LaneFixture(engine);
  const half = (name: string) => ({
    ...sampleLane,
    name,
    filter: (row: string) => `${row}.BusinessDocId = '${name}'`,
  });

  it('lets the rows around a poison row live', async () => {
    await lane.enqueueAll([...keys('before', 6), 'poison', ...keys('after', 6)]);
    // A worker that stops answering with its rows in hand is a dead one, as far as others can see.
    const process = { isDead: false };
    const forEver = new Promise<never>(() => undefined);
    const untilDeath = () =>
      lane.start(
        {
          deliver: async ({ messageKey }) => {
            if (messageKey === 'poison') process.isDead = true;
            else await sleep(30);
            return process.isDead ? forEver : { kind: 'delivered' };
          },
        },
        { leaseMs: 400, retry: { ...FAST.retry, maxAttempts: 5 } },
        { drainMs: 0 },
      );
    const isOver = async () => (await lane.rows()).every(({ nextAttemptAt }) => nextAttemptAt === null);
    for (let deaths = 0; deaths < 10 && !(await isOver()); deaths += 1) {
      process.isDead = false;
      const worker = untilDeath();
      await lane.eventually(async () => process.isDead || (await isOver()), 15_000);
      await Promise.all([worker.stop(), sleep(500)]);
    }
    const rows = await lane.rows();
    expect(rows.filter(({ status }) => status === 'Sent')).toHaveLength(12);
    expect(rows.find(({ messageKey }) => messageKey === 'poison')).toMatchObject({
      status: 'Error',
      lastError: expect.stringContaining('workers vanished'),
    });
  }, 90_000);

  it('tries a row that may end the process when nothing else is in hand, in any lane', async () => {
    const underWay = new Set<string>();
    const beside: string[][] = [];
    const deliver = async ({ messageKey }: { messageKey: string }) => {
      underWay.add(messageKey);
      if (messageKey === 'suspect') beside.push([...underWay]);
      await sleep(20);
      if (messageKey === 'suspect') beside.push([...underWay]);
      underWay.delete(messageKey);
      return { kind: 'delivered' } as const;
    };
    await lane.enqueueAll([...keys('a', 10), 'suspect'], { columns: { BusinessDocId: 'one' } });
    await lane.enqueueAll(keys('b', 30), { columns: { BusinessDocId: 'two' } });
    await engine.uow.run((tx) =>
      tx.execute(
        `UPDATE ${tx.dialect.table('TB_SAMPLE_OUTBOX')} SET AbandonCount = 2 WHERE MessageKey = 'suspect'`,
      ),
    );
    lane.startAll(
      ['one', 'two'].map((name) => ({ lane: half(name), deliver })),
      { concurrency: 3 },
    );
    await lane.eventually(lane.allSent);
    expect(beside).toEqual([['suspect'], ['suspect']]);
  });

  it('tries such a row without waiting for those that have not begun', async () => {
    const begun: string[] = [];
    await lane.enqueueAll(keys('slow', 30), { targetUrl: lane.sink.url('/slow') });
    lane.start(
      {
        deliver: async ({ messageKey }) => {
          begun.push(messageKey);
          if (messageKey.startsWith('slow')) await sleep(400);
          return { kind: 'delivered' };
        },
      },
      { concurrency: 2 },
    );
    await lane.eventually(() => begun.length === 2);
    await engine.uow.run(async (tx) => {
      const row = { messageKey: 'suspect', targetUrl: lane.sink.url('/quick'), payload: '{}' };
      await lane.outbox.enqueue(tx, sampleLane, { ...row, columns: { AbandonCount: 2 } });
    });
    await lane.eventually(() => begun.includes('suspect'));
    expect(begun.length).toBeLessThanOrEqual(5);
    await lane.eventually(lane.allSent, 15_000);
  }, 20_000);

  it('hands such a row back at its end, although it still waits to be alone', async () => {
    const worker = lane.start({ deliver: () => new Promise(() => undefined) }, {}, { drainMs: 50 });
    await lane.enqueue('hangs');
    await lane.eventually(async () => (await lane.statuses())[0] === 'Sending');
    await engine.uow.run((tx) =>
      lane.outbox.enqueue(tx, sampleLane, {
        messageKey: 'suspect',
        targetUrl: lane.sink.url('/quick'),
        payload: '{}',
        columns: { AbandonCount: 2 },
      }),
    );
    const suspect = async () => (await lane.rows()).find(({ messageKey }) => messageKey === 'suspect');
    await lane.eventually(async () => (await suspect())?.status === 'Sending');
    await worker.stop();
    expect(await suspect()).toMatchObject({ status: 'Pending', leaseOwner: null, abandonCount: 2 });
  });
});
