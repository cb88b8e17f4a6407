import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Sink } from '@malote/http-delivery/testing';
import { Database } from '@malote/persistence';
import { describeEachEngine } from '@malote/persistence/testing';
import { Webhook } from 'standardwebhooks';
import { LaneStore } from '../lane/lane-store.ts';
import { Outbox } from '../lane/outbox.ts';
import { FAST, keys, LANE_FIXTURE_OPTIONS, LaneFixture, sampleLane, SECRET } from '../testing/index.ts';

const operator = { actor: 'maria', reason: 'test' };

describeEachEngine('a worker', LANE_FIXTURE_OPTIONS, (engine) => {
  const lane = new LaneFixture(engine);

  it('delivers with the idempotency key, the trace and a signature others can verify', async () => {
    lane.start();
    const traceParent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await lane.enqueue('first', { traceParent });
    await lane.eventually(lane.allSent);
    const [request] = lane.sink.received;
    expect(request?.headers).toMatchObject({
      'idempotency-key': 'first',
      'webhook-id': 'first',
      traceparent: traceParent,
      'content-type': 'application/json',
    });
    expect(new Webhook(SECRET).verify(request?.body ?? '', request?.headers ?? {})).toEqual({ key: 'first' });
    expect(() => new Webhook(SECRET).verify('{"key":"forged"}', request?.headers ?? {})).toThrow();
  });

  it('drains a backlog of many keys in order, each key one at a time', async () => {
    const order: Record<string, string[]> = {};
    lane.sink.answer = ({ body }, response) => {
      const { key } = JSON.parse(body) as { key: string };
      (order[key.split('-')[0] ?? ''] ??= []).push(key);
      response
        .writeHead(
          key.endsWith('3') && order[key.split('-')[0] ?? '']?.filter((seen) => seen === key).length === 1
            ? 500
            : 200,
        )
        .end();
    };
    await engine.uow.run(async (tx) => {
      for (let n = 0; n < 6; n += 1) {
        for (const key of ['a', 'b', 'c']) {
          await lane.outbox.enqueue(tx, sampleLane, {
            messageKey: `${key}-${n}`,
            orderKey: key,
            targetUrl: lane.sink.url(),
            payload: `{"key":"${key}-${n}"}`,
          });
        }
      }
    });
    lane.start();
    await lane.eventually(lane.allSent);
    for (const key of ['a', 'b', 'c']) {
      expect(order[key]).toEqual(['0', '1', '2', '3', '3', '4', '5'].map((n) => `${key}-${n}`));
    }
  });

  it('stops at once on a final answer and says why', async () => {
    lane.sink.answer = (_request, response) => response.writeHead(422).end('cnpj inválido');
    lane.start();
    await lane.enqueue('bad');
    await lane.eventually(
      async () => (await lane.statuses())[0] === 'Error' && (await lane.rows())[0]?.nextAttemptAt === null,
    );
    expect(lane.sink.received).toHaveLength(1);
    expect((await lane.rows())[0]?.lastError).toContain('cnpj inválido');
  });

  it('takes 409 for what it is: already processed', async () => {
    lane.sink.answer = (_request, response) => response.writeHead(409).end();
    lane.start();
    await lane.enqueue('again');
    await lane.eventually(lane.allSent);
  });

  it('lets a message that fails while others pass die after its attempts', async () => {
    lane.sink.answer = ({ body }, response) => response.writeHead(body.includes('poison') ? 500 : 200).end();
    lane.start();
    await lane.enqueue('poison');
    for (let n = 0; n < 30; n += 1) {
      await lane.enqueue(`good-${n}`);
      await sleep(10);
    }
    await lane.eventually(async () => (await lane.rows())[0]?.nextAttemptAt === null);
    expect((await lane.rows())[0]).toMatchObject({ status: 'Error', attemptCount: 3 });
    expect((await lane.rows())[0]?.lastError).toMatch(/^gave up after 3 attempts/);
  });

  it('burns no attempts while the target is down, and delivers everything when it is back', async () => {
    await lane.sink.close();
    lane.start();
    for (let n = 0; n < 20; n += 1) await lane.enqueue(`m${n}`);
    await sleep(2_500);
    const during = await lane.rows();
    expect(during.every(({ attemptCount, status }) => attemptCount <= 1 && status !== 'Sent')).toBe(true);
    expect(during.every(({ nextAttemptAt }) => nextAttemptAt !== null)).toBe(true);
    const [target] = await lane.targets();
    expect(target?.openCount).toBeGreaterThan(0);
    await lane.sink.open();
    await lane.eventually(lane.allSent, 15_000);
    expect(new Set(lane.sink.bodies()).size).toBe(20);
  }, 30_000);

  it('opens the breaker once, however many deliveries fail together', async () => {
    lane.sink.answer = (_request, response) => void setTimeout(() => response.writeHead(503).end(), 100);
    await lane.enqueueAll(keys('m', 60));
    lane.start();
    lane.start();
    await lane.eventually(async () => {
      const [target] = await lane.targets();
      return (target?.openCount ?? 0) > 0;
    });
    await sleep(500);
    expect(await lane.targets()).toMatchObject([{ openCount: 1 }]);
    lane.sink.answer = (_request, response) => response.writeHead(200).end();
    await lane.eventually(lane.allSent, 5_000);
  }, 30_000);

  it('never lets a lone message die to a target that answers 500 to everyone', async () => {
    lane.sink.answer = (_request, response) => response.writeHead(500).end();
    lane.start();
    await lane.enqueue('lone');
    await lane.eventually(() => lane.sink.received.length >= 4, 12_000);
    expect((await lane.rows())[0]?.nextAttemptAt).not.toBeNull();
    lane.sink.answer = (_request, response) => response.writeHead(200).end();
    await lane.eventually(lane.allSent, 15_000);
  }, 30_000);

  it('keeps everybody away for as long as the target asks', async () => {
    let asked = 0;
    lane.sink.answer = (_request, response) => {
      if (asked === 0) {
        asked = Date.now();
        response.writeHead(429, { 'retry-after': '1' }).end();
      } else response.writeHead(200).end();
    };
    lane.start();
    await lane.enqueue('limited');
    await lane.eventually(lane.allSent);
    expect(Date.now() - asked).toBeGreaterThanOrEqual(900);
    expect((await lane.rows())[0]?.attemptCount).toBe(1);
  });

  it('does not let a stalling partner slow another one down', async () => {
    const slow = await new Sink().open();
    slow.answer = () => undefined;
    lane.start({}, { concurrency: 2 });
    for (let n = 0; n < 10; n += 1) await lane.enqueue(`slow${n}`, { targetUrl: slow.url() });
    const began = Date.now();
    for (let n = 0; n < 10; n += 1) await lane.enqueue(`fast${n}`);
    await lane.eventually(() => lane.sink.received.length === 10);
    expect(Date.now() - began).toBeLessThan(900);
    await slow.close();
  });

  it('takes over the row of a worker that died, and gives up on a row that kills every worker', async () => {
    await lane.enqueue('poison');
    // Long enough for a worker that is alive to renew it.
    const leaseMs = engine.name === 'sqlite' ? 150 : 1_000;
    let deaths = 0;
    // A worker that hangs for ever with its lease running out is a dead one, as far as others can see.
    const dying = () =>
      lane.start(
        {
          deliver: () => {
            deaths += 1;
            return new Promise(() => undefined);
          },
        },
        { leaseMs, maxAbandonments: 3 },
        { drainMs: 0 },
      );
    for (let n = 0; n < 3; n += 1) {
      const worker = dying();
      await lane.eventually(() => deaths === n + 1);
      await Promise.all([worker.stop(), sleep(leaseMs + 50)]);
    }
    lane.start({}, { maxAbandonments: 3 });
    await lane.eventually(async () => (await lane.rows())[0]?.status === 'Error');
    expect((await lane.rows())[0]).toMatchObject({ nextAttemptAt: null });
    expect((await lane.rows())[0]?.lastError).toContain('3 workers vanished');
    expect(lane.sink.received).toEqual([]);
  }, 30_000);

  it('holds its lease while a delivery takes longer than it', async () => {
    let calls = 0;
    const slowly = async () => {
      calls += 1;
      await sleep(900);
      return { kind: 'delivered' } as const;
    };
    lane.start({ deliver: slowly }, { leaseMs: 300 });
    lane.start({ deliver: slowly }, { leaseMs: 300 });
    await lane.enqueue('slow');
    await lane.eventually(lane.allSent);
    expect(calls).toBe(1);
  });

  it('finishes what it has begun and hands back the rest when told to stop', async () => {
    lane.sink.answer = (_request, response) => void setTimeout(() => response.writeHead(200).end(), 300);
    await lane.enqueueAll(keys('m', 10));
    const worker = lane.start({}, { concurrency: 3 });
    await lane.eventually(() => lane.sink.received.length === 3);
    await worker.stop();
    expect((await lane.statuses()).sort()).toEqual([
      ...Array<string>(7).fill('Pending'),
      ...Array<string>(3).fill('Sent'),
    ]);
    expect(
      (await lane.rows())
        .filter(({ status }) => status === 'Pending')
        .every(({ attemptCount, leaseOwner }) => attemptCount === 0 && leaseOwner === null),
    ).toBe(true);
  });

  it('respects a pause of a lane or a target, made anywhere, until it is resumed', async () => {
    for (const name of ['lane:sample', new URL(lane.sink.url()).origin]) {
      await lane.operations.pause(name, operator);
      const worker = lane.start();
      await lane.enqueue(`while ${name} is paused`);
      await sleep(400);
      expect(lane.sink.received).toEqual([]);
      await lane.operations.resume(name, operator);
      await lane.eventually(lane.allSent);
      await worker.stop();
      lane.sink.received.length = 0;
    }
  }, 30_000);

  it('keeps to a rate and to a total concurrency over all replicas', async () => {
    let underWay = 0;
    let most = 0;
    lane.sink.answer = (_request, response) => {
      most = Math.max(most, (underWay += 1));
      setTimeout(() => {
        underWay -= 1;
        response.writeHead(200).end();
      }, 50);
    };
    const limits = () => ({ concurrency: 2, perSecond: 10 });
    lane.start({ limits });
    lane.start({ limits });
    const began = Date.now();
    for (let n = 0; n < 20; n += 1) await lane.enqueue(`m${n}`);
    await lane.eventually(lane.allSent, 15_000);
    expect(most).toBeLessThanOrEqual(2);
    expect(Date.now() - began).toBeGreaterThan(800);
  }, 30_000);

  it('commits what onSettled does together with the settlement', async () => {
    const mirrored: string[] = [];
    lane.start({
      onSettled: async (tx, settlements) => {
        for (const { message, verdict } of settlements) {
          await tx.execute(
            `UPDATE ${tx.dialect.table('TB_SAMPLE_OUTBOX')} SET BusinessDocId = @verdict WHERE Id = @id`,
            { verdict, id: message.id },
          );
          mirrored.push(message.messageKey);
        }
      },
    });
    await lane.enqueue('mirror');
    await lane.eventually(lane.allSent);
    expect(await lane.rows()).toMatchObject([{ businessDocId: 'done' }]);
    expect(mirrored).toEqual(['mirror']);
  });

  it('refuses a private address that is not allowed by name', async () => {
    lane.start();
    await lane.enqueue('inside', { targetUrl: 'http://10.0.0.1/admin' });
    await lane.eventually(async () => (await lane.statuses())[0] === 'Error');
    expect((await lane.rows())[0]?.lastError).toContain('private address');
  });

  it('takes any judgement of a probe for a sign of life', async () => {
    lane.sink.answer = (_request, response) => response.writeHead(503).end();
    lane.start();
    await lane.enqueueAll(keys('m', 8));
    await lane.eventually(async () => (await lane.targets()).some(({ openCount }) => openCount > 0));
    lane.sink.answer = ({ body }, response) =>
      response.writeHead(body.includes('"m0"') || body.includes('"m1"') ? 422 : 204).end();
    // A probe that proved nothing would hold the target shut for its lease.
    await lane.eventually(async () => {
      const statuses = await lane.statuses();
      return statuses.filter((status) => status === 'Sent').length === 6;
    }, 6_000);
    expect(await lane.targets()).toMatchObject([{ openCount: 0 }]);
  }, 15_000);

  it('spends a rate on rows it delivers, not on those it looked for', async () => {
    lane.start({ limits: () => ({ perSecond: 5 }) });
    await lane.enqueue('first');
    await lane.eventually(lane.allSent);
    const began = Date.now();
    await lane.enqueueAll(keys('more', 4));
    await lane.eventually(lane.allSent);
    expect(Date.now() - began).toBeLessThan(700);
  });

  it('tries a row that has had more attempts than there are, since somebody lowered their number', async () => {
    await lane.enqueue('patient');
    await engine.uow.run((tx) =>
      tx.execute(`UPDATE ${tx.dialect.table('TB_SAMPLE_OUTBOX')} SET AttemptCount = 7, Status = 'Error'`),
    );
    lane.start();
    await lane.eventually(lane.allSent);
    expect(lane.sink.received).toHaveLength(1);
  });

  it.each([
    ['when its lease is renewed', 300],
    ['when its delivery is written down', 60_000],
  ])('counts a row that somebody else has taken once, %s', async (_, leaseMs) => {
    let lost = 0;
    let finish: () => void = () => undefined;
    const worker = lane.start(
      {
        deliver: () =>
          new Promise(
            (resolve) =>
              (finish = () => {
                resolve({ kind: 'delivered' });
              }),
          ),
      },
      { leaseMs },
      { observer: { lostLease: (_lane, count) => (lost += count) } },
    );
    await lane.enqueue('m');
    await lane.eventually(async () => (await lane.statuses())[0] === 'Sending');
    await engine.uow.run((tx) =>
      tx.execute(
        `UPDATE ${tx.dialect.table('TB_SAMPLE_OUTBOX')} SET LeaseOwner = 'thief', NextAttemptAt = ${tx.dialect.nowPlusMs('60000')}`,
      ),
    );
    if (leaseMs < 1_000) await lane.eventually(() => lost > 0);
    finish();
    await worker.stop();
    expect(lost).toBe(1);
    expect(await lane.rows()).toMatchObject([{ status: 'Sending', leaseOwner: 'thief' }]);
  });

  it('does not burn attempts of a row whose workers vanish', async () => {
    const store = new LaneStore(sampleLane, engine.uow);
    await lane.enqueue('m');
    for (let n = 0; n < FAST.retry.maxAttempts; n += 1) {
      const request = { targets: [lane.sink.url()], owner: `vanishes#${n}`, limit: 1, leaseMs: -1 };
      expect(await engine.uow.run((tx) => store.claim(tx, request))).toHaveLength(1);
    }
    lane.sink.answer = (_request, response) =>
      response.writeHead(lane.sink.received.length === 1 ? 500 : 204).end();
    lane.start();
    await lane.eventually(lane.allSent);
    expect(await lane.rows()).toMatchObject([{ attemptCount: 2, abandonCount: 0 }]);
  });

  it('keeps what a row says of its last failure when it hands the row back', async () => {
    lane.sink.answer = () => undefined;
    await lane.enqueueAll(keys('m', 3));
    await engine.uow.run((tx) =>
      tx.execute(`UPDATE ${tx.dialect.table('TB_SAMPLE_OUTBOX')} SET LastError = 'HTTP 500 yesterday'`),
    );
    const worker = lane.start({}, { concurrency: 1 }, { drainMs: 0 });
    await lane.eventually(() => lane.sink.received.length === 1);
    await worker.stop();
    const untouched = (await lane.rows()).filter(({ attemptCount }) => attemptCount === 0);
    expect(untouched.map(({ lastError }) => lastError)).toContain('HTTP 500 yesterday');
    expect(untouched.length).toBeGreaterThanOrEqual(2);
  });

  it('notices what another process has committed long before its next look', async () => {
    const other = Database.open(engine.databaseUrl, LANE_FIXTURE_OPTIONS.entities);
    try {
      lane.start({}, { pollMs: engine.name === 'sqlite' ? 60_000 : 200 });
      await lane.enqueue('own');
      await lane.eventually(lane.allSent);
      for (let n = 0; n < 3; n += 1) {
        const message = { messageKey: `foreign${n}`, targetUrl: lane.sink.url(), payload: '{}' };
        await other.unitOfWork.run((tx) => new Outbox().enqueue(tx, sampleLane, message));
        const committedAt = Date.now();
        await lane.eventually(() => lane.sink.received.length === n + 2);
        expect(Date.now() - committedAt).toBeLessThan(500);
      }
    } finally {
      await other.close();
    }
  });
});
