import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Sink } from '@malote/http-delivery/testing';
import { type Tx } from '@malote/persistence';
import { describeEachEngine, UnitOfWorkAround } from '@malote/persistence/testing';
import { keys, LANE_FIXTURE_OPTIONS, LaneFixture, sampleLane } from '../testing/index.ts';

/** How long a slow partner takes for a message. */
const SLOW_MS = 4_000;

/** What a process can have in hand is for all of its targets and lanes. */
describeEachEngine('a process divides what it can hold', LANE_FIXTURE_OPTIONS, (engine) => {
  const lane = new LaneFixture(engine);

  it('serves a second partner while the first has more rows than it can take', async () => {
    const slow = await new Sink().open();
    slow.answer = (_request, response) => void setTimeout(() => response.writeHead(204).end(), 500);
    await lane.enqueueAll(keys('slow', 60), { targetUrl: slow.url() });
    lane.start({}, { batch: 10, concurrency: 4 });
    await lane.eventually(() => slow.received.length > 0);
    await lane.enqueueAll(keys('quick', 5));
    await lane.eventually(() => lane.sink.received.length === 5, 6_000);
    expect(slow.received.length).toBeLessThan(60);
    await slow.close();
  }, 30_000);

  it('holds no more rows than the process has room for, however many partners come back at once', async () => {
    const targets = keys('', 40).map((n) => lane.sink.url(`/partner-${n}`));
    for (const [n, targetUrl] of targets.entries()) await lane.enqueueAll(keys(`p${n}-`, 15), { targetUrl });
    lane.sink.answer = (_request, response) => void setTimeout(() => response.writeHead(204).end(), 5);
    const { engine: running } = lane.start({}, {}, { budget: { rows: 60, bytes: 1_000_000 } });
    let most = 0;
    await lane.eventually(async () => {
      most = Math.max(most, running.budget.inHand.rows);
      return lane.sink.received.length === 600 && (await lane.allSent());
    }, 30_000);
    expect(most).toBeLessThanOrEqual(60);
    expect(most).toBeGreaterThan(10);
    expect(running.budget.inHand).toEqual({ rows: 0, bytes: 0 });
  }, 40_000);

  const half = (name: string) => ({
    ...sampleLane,
    name,
    filter: (row: string) => `${row}.BusinessDocId = '${name}'`,
  });

  it.each([
    ['partner of the same lane', 'one'],
    ['lane', 'two'],
  ])(
    'keeps room for another %s, however many slow partners have more than it can hold',
    async (_, ofWhom) => {
      const begun = { slow: 0, quick: 0 };
      const deliver = async ({ target }: { target: string }) => {
        const isSlow = target.includes('/slow');
        begun[isSlow ? 'slow' : 'quick'] += 1;
        if (isSlow) await sleep(SLOW_MS);
        return { kind: 'delivered' } as const;
      };
      const running = lane.startAll(
        ['one', 'two'].map((name) => ({ lane: half(name), deliver })),
        {},
        { budget: { rows: 60, bytes: 64_000_000 } },
      );
      for (const n of keys('slow', 9)) {
        const to = { targetUrl: lane.sink.url(`/${n}`), columns: { BusinessDocId: 'one' } };
        await lane.enqueueAll(keys(`${n}-`, 40), to);
      }
      await lane.eventually(() => begun.slow >= 30);
      const began = performance.now();
      await lane.enqueueAll(keys('quick', 30), {
        targetUrl: lane.sink.url('/quick'),
        columns: { BusinessDocId: ofWhom },
      });
      await lane.eventually(() => begun.quick === 30);
      expect(performance.now() - began).toBeLessThan(SLOW_MS / 2);
      expect(running.engine.budget.inHand.rows).toBeLessThanOrEqual(60);
    },
    30_000,
  );

  it('serves all in turn when there are more partners than it can hold rows', async () => {
    const partners = 20;
    for (const n of keys('p', partners)) {
      await lane.enqueueAll(keys(`${n}-`, 20), { targetUrl: lane.sink.url(`/${n}`) });
    }
    lane.start({}, {}, { budget: { rows: 10, bytes: 64_000_000 } });
    await lane.eventually(lane.allSent, 30_000);
    const firstOfEach = keys('p', partners).map((n) =>
      lane.sink.received.findIndex(({ path }) => path === `/${n}`),
    );
    expect(Math.max(...firstOfEach)).toBeLessThan(3 * partners);
  }, 40_000);

  it('serves the targets beside one whose rows cannot be claimed', async () => {
    const troubles: unknown[] = [];
    for (const name of ['broken', ...keys('good', 5)]) {
      await lane.enqueueAll(keys(`${name}-`, 3), { targetUrl: lane.sink.url(`/${name}`) });
    }
    class RefusingClaims extends UnitOfWorkAround {
      protected override around(tx: Tx): Tx {
        const query: Tx['query'] = (sql, parameters) =>
          JSON.stringify(parameters?.targets ?? '').includes('/broken')
            ? refuse()
            : tx.query(sql, parameters);
        return { ...tx, query };
      }
    }
    const uow = new RefusingClaims(engine.uow);
    lane.startAll(
      [{ lane: sampleLane, deliver: lane.post }],
      {},
      { uow, observer: { troubled: (_lane, error) => troubles.push(error) } },
    );
    await lane.eventually(() => lane.sink.received.length === 15);
    expect(troubles).toContainEqual(new Error('not this one'));
  });

  it('holds no more bytes than the process has room for, and still delivers what is larger than that', async () => {
    const payload = JSON.stringify({ filler: 'x'.repeat(30_000) });
    await lane.enqueueAll(keys('large', 12), { payload });
    const { engine: running } = lane.start({}, {}, { budget: { rows: 1_000, bytes: 20_000 } });
    let most = 0;
    await lane.eventually(async () => {
      most = Math.max(most, running.budget.inHand.bytes);
      return lane.allSent();
    });
    // The first guess of a row's size may be wrong once; from then on they go one by one.
    expect(most).toBeLessThan(6 * 62_000);
    expect(lane.sink.received).toHaveLength(12);
  }, 20_000);
});

function refuse(): never {
  throw new Error('not this one');
}
