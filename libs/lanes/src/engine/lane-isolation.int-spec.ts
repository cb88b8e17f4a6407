import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { AppError } from '@malote/app-error';
import { Sink } from '@malote/http-delivery/testing';
import { type Tx } from '@malote/persistence';
import { describeEachEngine, UnitOfWorkAround } from '@malote/persistence/testing';
import { type Outcome } from '@malote/retry-policy';
import { laneSql } from '../lane/lane-sql.ts';
import { LaneStore } from '../lane/lane-store.ts';
import { type LaneObserver } from './lane-observer.ts';
import { FAST, keys, LANE_FIXTURE_OPTIONS, LaneFixture, sampleLane } from '../testing/index.ts';

/** How long a slow partner takes for a message. */
const SLOW_MS = 4_000;
const operator = { actor: 'maria', reason: 'test' };

/** One row, one partner or one mistake must not become everybody's. */
describeEachEngine('a lane keeps trouble where it is', LANE_FIXTURE_OPTIONS, (engine) => {
  const lane = new LaneFixture(engine);

  it('serves a second partner while the first has more rows than it can take', async () => {
    const slow = await new Sink().open();
    slow.answer = (_request, response) => void setTimeout(() => response.writeHead(204).end(), 500);
    await lane.enqueueAll(keys('slow', 60), { targetUrl: slow.url() });
    lane.start({}, { batch: 10, concurrency: 4 });
    await lane.eventually(() => slow.received.length > 0);
    await lane.enqueueAll(keys('quick', 5));
    await lane.eventually(() => lane.sink.received.length === 5, 3_000);
    expect(slow.received.length).toBeLessThan(60);
    await slow.close();
  }, 30_000);

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
    await sleep(1_500);
    expect(lane.sink.received.length).toBeGreaterThan(0);
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
          String(parameters?.targets).includes('/broken') ? refuse() : tx.query(sql, parameters);
        return { ...tx, query };
      }
    }
    const uow = new RefusingClaims(engine.uow);
    lane.startAll([{ lane: sampleLane, deliver: lane.post }], {}, { uow, observer: troublesInto(troubles) });
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

  it('goes on looking when the database could not tell whether somebody has committed', async () => {
    const troubles: unknown[] = [];
    class Deaf extends UnitOfWorkAround {
      override foreignCommits(): number | undefined {
        if (troubles.length < 2) throw new Error('not this time');
        return super.foreignCommits();
      }
    }
    const uow = new Deaf(engine.uow);
    lane.startAll([{ lane: sampleLane, deliver: lane.post }], {}, { uow, observer: troublesInto(troubles) });
    await lane.enqueue('m');
    await lane.eventually(lane.allSent);
    expect(troubles).toHaveLength(2);
  });

  it('gives the place of a delivery that never ends to the next one, and says so', async () => {
    const overdue: string[] = [];
    const delivered: string[] = [];
    const signals: AbortSignal[] = [];
    lane.start(
      {
        deliver: ({ messageKey, attempt }, { signal }) => {
          if (messageKey === 'hangs' && attempt === 1) {
            signals.push(signal);
            return new Promise(() => undefined);
          }
          delivered.push(messageKey);
          return Promise.resolve({ kind: 'delivered' });
        },
      },
      { concurrency: 1, deliveryLimitMs: 200 },
      { observer: { overdue: (_lane, { messageKey }) => overdue.push(messageKey) } },
    );
    await lane.enqueueAll(['hangs', 'next']);
    await lane.eventually(lane.allSent);
    expect(overdue).toEqual(['hangs']);
    expect(signals[0]?.aborted).toBe(true);
    expect(delivered).toEqual(['next', 'hangs']);
    expect((await lane.rows())[0]).toMatchObject({ attemptCount: 2 });
  });

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

  it('goes on after a handler that does not say what came of it', async () => {
    const answers: Record<string, unknown> = {
      nothing: undefined,
      text: 'done',
      stranger: { kind: 'posted' },
    };
    lane.start(
      {
        deliver: ({ messageKey }) =>
          Promise.resolve((messageKey in answers ? answers[messageKey] : { kind: 'delivered' }) as Outcome),
      },
      { concurrency: 1 },
    );
    await lane.enqueueAll([...Object.keys(answers), 'sound']);
    await lane.eventually(async () => {
      const rows = await lane.rows();
      return rows.every(({ nextAttemptAt }) => nextAttemptAt === null);
    });
    const rows = await lane.rows();
    expect(rows.map(({ status }) => status)).toEqual(['Error', 'Error', 'Error', 'Sent']);
    expect(rows[0]?.lastError).toContain('did not say what came of it');
  });

  it('lets no message die of deliveries that never end, at a target that takes none', async () => {
    lane.start({ deliver: () => new Promise(() => undefined) }, { deliveryLimitMs: 100 });
    await lane.enqueueAll(keys('m', 4));
    await lane.eventually(async () => (await lane.targets()).some(({ openCount }) => openCount > 0));
    await sleep(1_500);
    expect((await lane.rows()).map(({ nextAttemptAt }) => nextAttemptAt)).not.toContain(null);
  }, 20_000);

  it('works one lane off although the table of another is gone', async () => {
    const troubled = new Set<string>();
    const gone = { ...sampleLane, name: 'gone', table: 'TB_GONE' };
    lane.startAll(
      [
        { lane: gone, deliver: lane.post },
        { lane: sampleLane, deliver: lane.post },
      ],
      {},
      { observer: { troubled: (name) => troubled.add(name) } },
    );
    await lane.enqueue('m');
    await lane.eventually(lane.allSent);
    expect([...troubled]).toEqual(['gone']);
  });

  it('does not look all the time, however often others commit', async () => {
    let looks = 0;
    class SlowLooks extends UnitOfWorkAround {
      private commits = 0;

      override foreignCommits(): number {
        return (this.commits += 1);
      }

      protected override around(tx: Tx): Tx {
        const query: Tx['query'] = async (sql, parameters) => {
          if (sql.includes('GroupKey')) {
            looks += 1;
            await sleep(50);
          }
          return tx.query(sql, parameters);
        };
        return { ...tx, query };
      }
    }
    lane.startAll([{ lane: sampleLane, deliver: lane.post }], {}, { uow: new SlowLooks(engine.uow) });
    await sleep(1_000);
    expect(looks).toBeGreaterThan(1);
    expect(looks).toBeLessThanOrEqual(6);
  });

  it('renews leases once at a time, however long that takes', async () => {
    let underWay = 0;
    let most = 0;
    const { renew } = laneSql(sampleLane, engine.uow.dialect);
    class SlowRenewals extends UnitOfWorkAround {
      protected override around(tx: Tx): Tx {
        const query: Tx['query'] = async (sql, parameters) => {
          if (sql !== renew) return tx.query(sql, parameters);
          most = Math.max(most, (underWay += 1));
          await sleep(400);
          underWay -= 1;
          return tx.query(sql, parameters);
        };
        return { ...tx, query };
      }
    }
    const deliver = async () => {
      await sleep(1_500);
      return { kind: 'delivered' } as const;
    };
    const uow = new SlowRenewals(engine.uow);
    lane.startAll([{ lane: sampleLane, deliver }], { leaseMs: 900 }, { uow });
    await lane.enqueueAll(keys('m', 3));
    await lane.eventually(lane.allSent);
    expect(most).toBe(1);
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
