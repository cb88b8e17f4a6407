import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { AppError } from '@malote/app-error';
import { describeEachEngine } from '@malote/persistence/testing';
import { LaneStore } from '../lane/lane-store.ts';
import { FAST, keys, LANE_FIXTURE_OPTIONS, LaneFixture, sampleLane } from '../testing/index.ts';
import { type LaneObserver } from './lane-observer.ts';

const operator = { actor: 'maria', reason: 'test' };

/** One row, one partner or one mistake must not become everybody's. */
describeEachEngine('a lane keeps trouble where it is', LANE_FIXTURE_OPTIONS, (engine) => {
  const lane = new LaneFixture(engine);

  it('sends each row to its own address, even where addresses differ in case only', async () => {
    await lane.enqueue('upper', { targetUrl: lane.sink.url('/t/ABC') });
    await lane.enqueue('lower', { targetUrl: lane.sink.url('/t/abc') });
    lane.start();
    await lane.eventually(lane.allSent);
    const paths = lane.sink.received.map(({ path, headers }) => [headers['idempotency-key'], path]);
    expect(Object.fromEntries(paths)).toEqual({ upper: '/t/ABC', lower: '/t/abc' });
  });

  it('does not spin when the target says Retry-After: 0', async () => {
    lane.sink.answer = (_request, response) => response.writeHead(503, { 'retry-after': '0' }).end();
    await lane.enqueueAll(keys('m', 50));
    lane.start({}, { concurrency: 4 });
    await lane.eventually(() => lane.sink.received.length > 0);
    await sleep(1_500);
    expect(lane.sink.received.length).toBeLessThan(60);
    expect((await lane.rows()).every(({ attemptCount }) => attemptCount <= 1)).toBe(true);
  });

  it('keeps back what it has claimed once the target wants to be left alone', async () => {
    lane.sink.answer = (_request, response) => response.writeHead(429, { 'retry-after': '60' }).end();
    await lane.enqueueAll(keys('m', 100));
    lane.start({}, { concurrency: 4 });
    await lane.eventually(async () => {
      const rows = await lane.rows();
      return lane.sink.received.length > 0 && rows.every(({ status }) => status === 'Pending');
    });
    expect(lane.sink.received.length).toBeLessThanOrEqual(8);
  });

  it('respects a pause from the first moment, in every lane of a process', async () => {
    await lane.enqueueAll(keys('m', 10));
    await lane.operations.pause('lane:sample', operator);
    await lane.operations.pause(new URL(lane.sink.url()).origin, operator);
    for (let n = 0; n < 3; n += 1) lane.start();
    await sleep(600);
    expect(lane.sink.received).toEqual([]);
  });

  it.each([
    ['does not fit', new Error('not this one')],
    ['needs what is away', new AppError('unavailable', 'register-away', 'not this one')],
  ])('settles the others when one result %s, and says what was wrong with it', async (_, error) => {
    const troubles: unknown[] = [];
    lane.start(
      {
        onSettled: (_tx, settlements) => {
          const refuses = settlements.some(({ message }) => message.messageKey === 'm7');
          return refuses ? Promise.reject(error) : Promise.resolve();
        },
      },
      {},
      { observer: troublesInto(troubles) },
    );
    await lane.enqueueAll(keys('m', 40));
    const dead = async () =>
      (await lane.rows()).filter(({ nextAttemptAt, status }) => status === 'Error' && !nextAttemptAt);
    await lane.eventually(async () => (await dead()).length === 1);
    const sent = (await lane.statuses()).filter((status) => status === 'Sent');
    expect(sent).toHaveLength(39);
    expect(troubles).toContainEqual(error);
    expect(await dead()).toMatchObject([
      { messageKey: 'm7', attemptCount: 3, lastError: expect.stringContaining('could not be written down') },
    ]);
    expect((await dead())[0]?.lastError).toContain('not this one');
  });

  it('stores what a partner answers, whatever it answers', async () => {
    lane.sink.answer = (_request, response) => response.writeHead(422).end(`${'x'.repeat(299)}🚚🚚 a\0b`);
    lane.start();
    await lane.enqueue('bad');
    await lane.eventually(async () => (await lane.statuses())[0] === 'Error');
    expect((await lane.rows())[0]?.lastError).toContain('xxx');
  });

  it('ends a replay although the rows die again behind it', async () => {
    lane.sink.answer = (_request, response) => response.writeHead(400).end();
    await lane.enqueueAll(keys('m', 600));
    lane.start();
    const dead = () => lane.operations.countDead(sampleLane, {});
    await lane.eventually(async () => (await dead()) === 600, 15_000);
    expect(await lane.operations.replay(sampleLane, {}, operator)).toBe(600);
    await lane.eventually(async () => (await dead()) === 600, 15_000);
    // A busy machine may be too slow for an answer or two.
    expect(lane.sink.received.length).toBeLessThan(1_300);
  }, 60_000);

  it('admits less than one delivery a second where that is the rate', async () => {
    lane.start({ limits: () => ({ perSecond: 0.8 }) });
    await lane.enqueueAll(keys('m', 3));
    await lane.eventually(() => lane.sink.received.length === 2);
    await sleep(300);
    expect(lane.sink.received).toHaveLength(2);
  });

  it('delivers a row once although its worker takes it again after the database was away', async () => {
    const store = new LaneStore(sampleLane, engine.uow);
    const deliveries: string[] = [];
    let finishFirst: () => void = () => undefined;
    const worker = lane.start(
      {
        deliver: (message, lease) => {
          deliveries.push(message.leaseOwner);
          if (deliveries.length > 1) return Promise.resolve({ kind: 'delivered' });
          return new Promise((resolve) => {
            finishFirst = () => {
              resolve({
                kind: 'failed',
                reason: String(lease.signal.aborted),
                blame: 'either',
                final: false,
              });
            };
          });
        },
      },
      { leaseMs: 60_000 },
    );
    await lane.enqueue('m');
    await lane.eventually(() => deliveries.length === 1);
    // As if the lease had run out while nobody could renew it.
    await engine.uow.run((tx) =>
      tx.execute(
        `UPDATE ${tx.dialect.table('TB_SAMPLE_OUTBOX')} SET NextAttemptAt = ${tx.dialect.nowPlusMs('-1000')}`,
      ),
    );
    worker.wake();
    await lane.eventually(lane.allSent);
    finishFirst();
    await sleep(100);
    expect(deliveries).toHaveLength(2);
    expect(await lane.rows()).toMatchObject([{ status: 'Sent', lastError: null }]);
    expect(await store.depth()).toEqual([]);
  });

  it('is not stopped for good by a lane that cannot drain in time', async () => {
    const worker = lane.start({ deliver: () => new Promise(() => undefined) }, {}, { drainMs: 100 });
    await lane.enqueue('hangs');
    await lane.eventually(async () => (await lane.statuses())[0] === 'Sending');
    const began = performance.now();
    await Promise.all([worker.stop(), worker.stop()]);
    expect(performance.now() - began).toBeLessThan(FAST.leaseMs);
  });

  it.each([
    ['group', { targetGroup: (target: string) => (isBroken(target) ? refuse() : target) }],
    [
      'limits',
      {
        targetGroup: (target: string) => target,
        limits: (group: string) => (isBroken(group) ? refuse() : {}),
      },
    ],
  ])('serves the targets after one whose %s cannot be told', async (_, handler) => {
    const troubles: unknown[] = [];
    await lane.enqueueAll(keys('broken', 3), { targetUrl: lane.sink.url('/broken') });
    await lane.enqueueAll(keys('good', 3), { targetUrl: lane.sink.url('/good') });
    lane.start(handler, {}, { observer: troublesInto(troubles) });
    await lane.eventually(() => lane.sink.received.filter(({ path }) => path === '/good').length === 3);
    expect(troubles).toContainEqual(new Error('not this one'));
  });

  it('makes one partner wait who asks for it, and not those on the same host', async () => {
    lane.sink.answer = ({ path }, response) => {
      if (path === '/busy') response.writeHead(429, { 'retry-after': '86400' }).end();
      else response.writeHead(204).end();
    };
    await lane.enqueueAll(keys('busy', 8), { targetUrl: lane.sink.url('/busy') });
    lane.start({}, { concurrency: 8 });
    await lane.eventually(() => lane.sink.received.length > 0);
    await lane.enqueueAll(keys('calm', 3), { targetUrl: lane.sink.url('/calm') });
    await lane.eventually(() => lane.sink.received.filter(({ path }) => path === '/calm').length === 3);
    await lane.eventually(async () => {
      const waiting = (await lane.rows()).filter(({ targetUrl }) => targetUrl.endsWith('/busy'));
      return waiting.every(({ status, attemptCount }) => status === 'Pending' && attemptCount === 0);
    });
    expect(await lane.targets()).toContainEqual(
      expect.objectContaining({ target: lane.sink.url('/busy'), openCount: 0 }),
    );
  });
});

function refuse(): never {
  throw new Error('not this one');
}

function troublesInto(troubles: unknown[]): LaneObserver {
  return { troubled: (_lane, error) => troubles.push(error) };
}

function isBroken(target: string): boolean {
  return target.endsWith('/broken');
}
