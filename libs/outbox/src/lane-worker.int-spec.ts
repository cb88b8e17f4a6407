import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeEachEngine } from '@malote/persistence/testing';
import { Webhook } from 'standardwebhooks';
import { HttpSender } from './http-sender.ts';
import { LANE_DEFAULTS, type LaneHandler, type LaneSettings, LaneWorker } from './lane-worker.ts';
import { OutboxActionEntity } from './outbox-action.entity.ts';
import { OutboxTargetEntity } from './outbox-target.entity.ts';
import { Outbox, type OutboxMessage } from './outbox.ts';
import { TargetGate } from './target-gate.ts';
import { TargetStore } from './target-store.ts';
import { SAMPLE_OUTBOX_SQL, sampleLane, SampleOutboxEntity, Sink } from './testing/index.ts';

const SECRET = `whsec_${Buffer.from('a secret of twenty-four+ bytes').toString('base64')}`;
const FAST: LaneSettings = {
  ...LANE_DEFAULTS,
  leaseMs: 2_000,
  pollCeilingMs: 200,
  drainMs: 3_000,
  retry: { maxAttempts: 3, baseMs: 20, factor: 2, capMs: 100 },
};
const operator = { actor: 'maria', reason: 'test' };
const options = {
  entities: [SampleOutboxEntity, OutboxTargetEntity, OutboxActionEntity],
  extraSql: SAMPLE_OUTBOX_SQL,
};

describeEachEngine('a worker', options, (engine) => {
  let sink: Sink;
  let sender: HttpSender;
  let outbox: Outbox;
  let workers: LaneWorker[];

  beforeEach(async () => {
    sink = await new Sink().open();
    sender = new HttpSender({
      allowedPrivateHosts: ['127.0.0.1'],
      signingSecrets: [SECRET],
      connectionsPerTarget: 8,
      timeoutMs: 1_000,
    });
    outbox = new Outbox(engine.uow);
    workers = [];
  });

  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await sender.close();
    await sink.close();
  });

  function startWorker(handler: Partial<LaneHandler> = {}, settings: Partial<LaneSettings> = {}): LaneWorker {
    const worker = new LaneWorker(
      {
        lane: sampleLane,
        deliver: (message, signal) =>
          sender.post(message, message.target, String(message.row.PayloadJson), signal),
        ...handler,
      },
      engine.uow,
      new TargetGate(new TargetStore(engine.uow)),
      { ...FAST, ...settings },
    );
    outbox.onEnqueued('sample', () => {
      worker.wake();
    });
    workers.push(worker);
    worker.start();
    return worker;
  }

  const enqueue = (messageKey: string, more: Partial<OutboxMessage> = {}) =>
    engine.uow.run((tx) =>
      outbox.enqueue(tx, sampleLane, {
        messageKey,
        targetUrl: sink.url(),
        payload: `{"key":"${messageKey}"}`,
        ...more,
      }),
    );
  const rows = () => engine.uow.read((tx) => tx.entities.find(SampleOutboxEntity, { order: { id: 'ASC' } }));
  const statuses = async () => (await rows()).map(({ status }) => status);

  async function eventually(check: () => Promise<boolean> | boolean, ms = 8_000): Promise<void> {
    const until = Date.now() + ms;
    while (!(await check())) {
      if (Date.now() > until) throw new Error(`never happened; rows: ${JSON.stringify(await rows())}`);
      await sleep(20);
    }
  }
  const allSent = async () => (await statuses()).every((status) => status === 'Sent');

  it('delivers with the idempotency key, the trace and a signature others can verify', async () => {
    startWorker();
    const traceParent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    await enqueue('first', { traceParent });
    await eventually(allSent);
    const [request] = sink.received;
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
    sink.answer = ({ body }, response) => {
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
          await outbox.enqueue(tx, sampleLane, {
            messageKey: `${key}-${n}`,
            orderKey: key,
            targetUrl: sink.url(),
            payload: `{"key":"${key}-${n}"}`,
          });
        }
      }
    });
    startWorker();
    await eventually(allSent);
    for (const key of ['a', 'b', 'c']) {
      expect(order[key]).toEqual(['0', '1', '2', '3', '3', '4', '5'].map((n) => `${key}-${n}`));
    }
  });

  it('stops at once on a final answer and says why', async () => {
    sink.answer = (_request, response) => response.writeHead(422).end('cnpj inválido');
    startWorker();
    await enqueue('bad');
    await eventually(
      async () => (await statuses())[0] === 'Error' && (await rows())[0]?.nextAttemptAt === null,
    );
    expect(sink.received).toHaveLength(1);
    expect((await rows())[0]?.lastError).toContain('cnpj inválido');
  });

  it('takes 409 for what it is: already processed', async () => {
    sink.answer = (_request, response) => response.writeHead(409).end();
    startWorker();
    await enqueue('again');
    await eventually(allSent);
  });

  it('lets a message that fails while others pass die after its attempts', async () => {
    sink.answer = ({ body }, response) => response.writeHead(body.includes('poison') ? 500 : 200).end();
    startWorker();
    await enqueue('poison');
    for (let n = 0; n < 30; n += 1) {
      await enqueue(`good-${n}`);
      await sleep(10);
    }
    await eventually(async () => (await rows())[0]?.nextAttemptAt === null);
    expect((await rows())[0]).toMatchObject({ status: 'Error', attemptCount: 3 });
    expect((await rows())[0]?.lastError).toMatch(/^gave up after 3 attempts/);
  });

  it('burns no attempts while the target is down, and delivers everything when it is back', async () => {
    await sink.close();
    startWorker();
    for (let n = 0; n < 20; n += 1) await enqueue(`m${n}`);
    await sleep(2_500);
    const during = await rows();
    expect(during.every(({ attemptCount, status }) => attemptCount <= 1 && status !== 'Sent')).toBe(true);
    expect(during.every(({ nextAttemptAt }) => nextAttemptAt !== null)).toBe(true);
    const [target] = await engine.uow.read((tx) => tx.entities.find(OutboxTargetEntity));
    expect(target?.openCount).toBeGreaterThan(0);
    await sink.open();
    await eventually(allSent, 15_000);
    expect(new Set(sink.bodies()).size).toBe(20);
  }, 30_000);

  it('opens the breaker once, however many deliveries fail together', async () => {
    sink.answer = (_request, response) => void setTimeout(() => response.writeHead(503).end(), 100);
    await engine.uow.run(async (tx) => {
      for (let n = 0; n < 60; n += 1)
        await outbox.enqueue(tx, sampleLane, { messageKey: `m${n}`, targetUrl: sink.url(), payload: '{}' });
    });
    startWorker();
    startWorker();
    await eventually(async () => {
      const [target] = await engine.uow.read((tx) => tx.entities.find(OutboxTargetEntity));
      return (target?.openCount ?? 0) > 0;
    });
    await sleep(500);
    expect(await engine.uow.read((tx) => tx.entities.find(OutboxTargetEntity))).toMatchObject([
      { openCount: 1 },
    ]);
    sink.answer = (_request, response) => response.writeHead(200).end();
    await eventually(allSent, 5_000);
  }, 30_000);

  it('never lets a lone message die to a target that answers 500 to everyone', async () => {
    sink.answer = (_request, response) => response.writeHead(500).end();
    startWorker();
    await enqueue('lone');
    await eventually(() => sink.received.length >= 4, 12_000);
    expect((await rows())[0]?.nextAttemptAt).not.toBeNull();
    sink.answer = (_request, response) => response.writeHead(200).end();
    await eventually(allSent, 15_000);
  }, 30_000);

  it('keeps everybody away for as long as the target asks', async () => {
    let asked = 0;
    sink.answer = (_request, response) => {
      if (asked === 0) {
        asked = Date.now();
        response.writeHead(429, { 'retry-after': '1' }).end();
      } else response.writeHead(200).end();
    };
    startWorker();
    await enqueue('limited');
    await eventually(allSent);
    expect(Date.now() - asked).toBeGreaterThanOrEqual(900);
    expect((await rows())[0]?.attemptCount).toBe(1);
  });

  it('does not let a stalling partner slow another one down', async () => {
    const slow = await new Sink().open();
    slow.answer = () => undefined;
    startWorker({}, { concurrency: 2 });
    for (let n = 0; n < 10; n += 1) await enqueue(`slow${n}`, { targetUrl: slow.url() });
    const began = Date.now();
    for (let n = 0; n < 10; n += 1) await enqueue(`fast${n}`);
    await eventually(() => sink.received.length === 10);
    expect(Date.now() - began).toBeLessThan(900);
    await slow.close();
  });

  it('takes over the row of a worker that died, and gives up on a row that kills every worker', async () => {
    await enqueue('poison');
    let deaths = 0;
    // A worker that hangs for ever with its lease running out is a dead one, as far as others can see.
    const dying = () =>
      startWorker(
        {
          deliver: () => {
            deaths += 1;
            return new Promise(() => undefined);
          },
        },
        { leaseMs: 150, drainMs: 0 },
      );
    for (let n = 0; n < 3; n += 1) {
      const worker = dying();
      await eventually(() => deaths === n + 1);
      await Promise.all([worker.stop(), sleep(200)]);
    }
    startWorker();
    await eventually(async () => (await rows())[0]?.status === 'Error');
    expect((await rows())[0]).toMatchObject({ nextAttemptAt: null });
    expect((await rows())[0]?.lastError).toContain('3 workers vanished');
    expect(sink.received).toEqual([]);
  }, 30_000);

  it('holds its lease while a delivery takes longer than it', async () => {
    let calls = 0;
    const slowly = async () => {
      calls += 1;
      await sleep(900);
      return { kind: 'delivered' } as const;
    };
    startWorker({ deliver: slowly }, { leaseMs: 300 });
    startWorker({ deliver: slowly }, { leaseMs: 300 });
    await enqueue('slow');
    await eventually(allSent);
    expect(calls).toBe(1);
  });

  it('finishes what it has begun and hands back the rest when told to stop', async () => {
    sink.answer = (_request, response) => void setTimeout(() => response.writeHead(200).end(), 300);
    await engine.uow.run(async (tx) => {
      for (let n = 0; n < 10; n += 1)
        await outbox.enqueue(tx, sampleLane, { messageKey: `m${n}`, targetUrl: sink.url(), payload: '{}' });
    });
    const worker = startWorker({}, { concurrency: 3 });
    await eventually(() => sink.received.length === 3);
    await worker.stop();
    expect((await statuses()).sort()).toEqual([
      ...Array<string>(7).fill('Pending'),
      ...Array<string>(3).fill('Sent'),
    ]);
    expect(
      (await rows())
        .filter(({ status }) => status === 'Pending')
        .every(({ attemptCount, leaseOwner }) => attemptCount === 0 && leaseOwner === null),
    ).toBe(true);
  });

  it('respects a pause of a lane or a target, made anywhere, until it is resumed', async () => {
    for (const name of ['lane:sample', new URL(sink.url()).origin]) {
      await outbox.pause(name, operator);
      const worker = startWorker();
      await enqueue(`while ${name} is paused`);
      await sleep(400);
      expect(sink.received).toEqual([]);
      await outbox.resume(name, operator);
      await eventually(allSent);
      await worker.stop();
      sink.received.length = 0;
    }
  }, 30_000);

  it('keeps to a rate and to a total concurrency over all replicas', async () => {
    let underWay = 0;
    let most = 0;
    sink.answer = (_request, response) => {
      most = Math.max(most, (underWay += 1));
      setTimeout(() => {
        underWay -= 1;
        response.writeHead(200).end();
      }, 50);
    };
    const limits = () => ({ concurrency: 2, perSecond: 10 });
    startWorker({ limits });
    startWorker({ limits });
    const began = Date.now();
    for (let n = 0; n < 20; n += 1) await enqueue(`m${n}`);
    await eventually(allSent, 15_000);
    expect(most).toBeLessThanOrEqual(2);
    expect(Date.now() - began).toBeGreaterThan(800);
  }, 30_000);

  it('commits what onSettled does together with the settlement', async () => {
    const mirrored: string[] = [];
    startWorker({
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
    await enqueue('mirror');
    await eventually(allSent);
    expect(await rows()).toMatchObject([{ businessDocId: 'done' }]);
    expect(mirrored).toEqual(['mirror']);
  });

  it('refuses a private address that is not allowed by name', async () => {
    startWorker();
    await enqueue('inside', { targetUrl: 'http://10.0.0.1/admin' });
    await eventually(async () => (await statuses())[0] === 'Error');
    expect((await rows())[0]?.lastError).toContain('private address');
  });
});
