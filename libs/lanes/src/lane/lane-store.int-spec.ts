import { beforeEach, expect, it } from '@jest/globals';
import { describeEachEngine } from '@malote/persistence/testing';
import { type Verdict } from '@malote/retry-policy';
import { LaneStore } from './lane-store.ts';
import { type LaneMessage } from './lane.ts';
import { Lookout } from '../engine/lookout.ts';
import { Operations } from '../operators/operations.ts';
import { OutboxActionEntity } from '../operators/outbox-action.entity.ts';
import { PeriodicTaskEntity } from '../service/periodic-task.entity.ts';
import { PeriodicTasks } from '../service/periodic-tasks.ts';
import { OutboxTargetEntity } from '../targets/outbox-target.entity.ts';
import { Outbox, type OutboxMessage } from './outbox.ts';
import { SAMPLE_TABLES, sampleLane, SampleOutboxEntity } from '../testing/index.ts';

const TARGET = 'https://gateway.example/hook';
const LEASE_MS = 60_000;
const operator = { actor: 'maria', reason: 'gateway was fixed' };
const fail = (_lane: string, error: unknown) => {
  throw error;
};

const options = {
  ...SAMPLE_TABLES,
  entities: [...SAMPLE_TABLES.entities, OutboxTargetEntity, OutboxActionEntity, PeriodicTaskEntity],
};

describeEachEngine('a lane', options, (engine) => {
  let store: LaneStore;
  let outbox: Outbox;
  let operations: Operations;

  beforeEach(() => {
    store = new LaneStore(sampleLane, engine.uow);
    outbox = new Outbox();
    operations = new Operations(engine.uow, outbox);
  });

  const enqueue = (messageKey: string, more: Partial<OutboxMessage> = {}) =>
    engine.uow.run((tx) =>
      outbox.enqueue(tx, sampleLane, { messageKey, targetUrl: TARGET, payload: '{}', ...more }),
    );
  const claim = (owner = 'worker#1', limit = 10, leaseMs = LEASE_MS) =>
    engine.uow.run((tx) => store.claim(tx, { targets: [TARGET], owner, limit, leaseMs }));
  const settle = (messages: readonly LaneMessage[], verdict: Verdict, error: string | null = null) =>
    engine.uow.run((tx) =>
      store.settle(
        tx,
        messages.map((message) => ({ message, verdict, delayMs: 0, error, isCertain: true })),
      ),
    );
  const rows = () => engine.uow.read((tx) => tx.entities.find(SampleOutboxEntity, { order: { id: 'ASC' } }));
  const keys = (messages: readonly LaneMessage[]) => messages.map(({ messageKey }) => messageKey);

  it('enqueues a key once, and not at all when the caller rolls back', async () => {
    const first = await enqueue('k1', { columns: { BusinessDocId: 'D1' } });
    const second = await enqueue('k1', { payload: '{"other":true}' });
    await engine.uow
      .run(async (tx) => {
        await outbox.enqueue(tx, sampleLane, { messageKey: 'k2', targetUrl: TARGET, payload: '{}' });
        throw new Error('no');
      })
      .catch(() => undefined);
    expect(second).toEqual({ id: first.id, inserted: false });
    expect(await rows()).toMatchObject([
      { messageKey: 'k1', payloadJson: '{}', businessDocId: 'D1', status: 'Pending' },
    ]);
  });

  it('claims due rows oldest first, counts the attempt at once and hides them from others', async () => {
    for (const key of ['a', 'b', 'c']) await enqueue(key);
    expect(keys(await claim('one#1', 2))).toEqual(['a', 'b']);
    expect(keys(await claim('two#1'))).toEqual(['c']);
    expect(await claim('two#2')).toEqual([]);
    expect(await rows()).toMatchObject([
      { status: 'Sending', attemptCount: 1, leaseOwner: 'one#1' },
      { status: 'Sending', attemptCount: 1, leaseOwner: 'one#1' },
      { status: 'Sending', attemptCount: 1, leaseOwner: 'two#1' },
    ]);
  });

  it('settles only what is still held: a late worker changes nothing', async () => {
    await enqueue('a');
    const late = await claim('late#1', 10, -1);
    const [now] = await claim('now#1');
    expect(now).toMatchObject({ attempt: 1, abandonments: 1 });
    expect(await settle(late, 'done')).toEqual([]);
    const taken = new Set(late.map(({ id }) => id));
    expect(await engine.uow.run((tx) => store.renew(tx, late, LEASE_MS))).toEqual({
      renewed: new Set(),
      taken,
    });
    expect(await rows()).toMatchObject([
      { status: 'Sending', leaseOwner: 'now#1', lastError: 'abandoned by late#1' },
    ]);
    expect(await settle(now ? [now] : [], 'done')).toHaveLength(1);
    expect(await rows()).toMatchObject([
      { status: 'Sent', leaseOwner: null, nextAttemptAt: null, lastError: null, attemptCount: 1 },
    ]);
    expect((await rows())[0]?.sentAt).toBeInstanceOf(Date);
  });

  it.each([
    ['the lost claim first', false],
    ['the lost claim last', true],
  ])('settles a row once although two claims of it are settled together, %s', async (_, isReversed) => {
    await enqueue('a');
    const claims = [...(await claim('worker#1', 10, -1)), ...(await claim('worker#2'))];
    const settled = await settle(isReversed ? claims.toReversed() : claims, 'done');
    expect(settled.map(({ message }) => message.leaseOwner)).toEqual(['worker#2']);
  });

  it('writes retry, death and refund in one batch', async () => {
    for (const key of ['retry', 'dead', 'refund']) await enqueue(key);
    const messages = await claim();
    await engine.uow.run((tx) =>
      store.settle(
        tx,
        messages.map((message) => ({
          message,
          verdict: message.messageKey as Verdict,
          delayMs: 3_600_000,
          error: `${message.messageKey} 🚚`,
          isCertain: true,
        })),
      ),
    );
    expect(await rows()).toMatchObject([
      { status: 'Error', attemptCount: 1, lastError: 'retry 🚚', leaseOwner: null },
      { status: 'Error', attemptCount: 1, lastError: 'dead 🚚', nextAttemptAt: null },
      { status: 'Pending', attemptCount: 0, lastError: 'refund 🚚' },
    ]);
    expect(await claim()).toEqual([]);
    const depths = await store.depth();
    expect(Object.fromEntries(depths.map(({ status, count }) => [status, count]))).toEqual({
      Error: 1,
      dead: 1,
      Pending: 1,
    });
  });

  it('knows the oldest message, behind however many younger ones it is found', async () => {
    const young = Array.from({ length: 12_000 }, (_, n) => ({
      MessageKey: `young${n}`,
      TargetUrl: TARGET,
      PayloadJson: '{}',
    }));
    await engine.uow.run((tx) => tx.dialect.insertAll(tx, sampleLane.table, young));
    await enqueue('old', { targetUrl: 'https://zulu.example/hook' });
    await engine.uow.run((tx) =>
      tx.execute(
        `UPDATE ${tx.dialect.table(sampleLane.table)} SET CreatedAt = ${tx.dialect.nowPlusSeconds('-7200')} WHERE MessageKey = 'old'`,
      ),
    );
    const [pending] = await store.depth();
    expect(pending).toMatchObject({ status: 'Pending', count: 12_001 });
    expect(pending?.oldestSeconds).toBeGreaterThanOrEqual(7_200);
  });

  it('delivers the rows of one order key one after the other', async () => {
    for (const key of ['a1', 'a2', 'b1', 'a3']) await enqueue(key, { orderKey: key.charAt(0) });
    const first = await claim();
    expect(keys(first)).toEqual(['a1', 'b1']);
    expect(await claim()).toEqual([]);
    await settle(first, 'retry');
    const again = await claim();
    expect(keys(again)).toEqual(['a1', 'b1']);
    await settle(again, 'done');
    const next = await claim();
    expect(keys(next)).toEqual(['a2']);
    await settle(next, 'done');
    await settle(await claim(), 'done');
    await enqueue('a4', { orderKey: 'a' });
    expect(keys(await claim())).toEqual(['a4']);
  });

  it('lets a dead row block its key until it is replayed or discarded, both on record', async () => {
    for (const key of ['a1', 'a2', 'a3']) await enqueue(key, { orderKey: 'a' });
    await settle(await claim(), 'dead', 'HTTP 422');
    expect(await claim()).toEqual([]);

    expect(await operations.countDead(sampleLane, { errorContains: '422' })).toBe(1);
    expect(await operations.countDead(sampleLane, { errorContains: '4_2' })).toBe(0);
    expect(await operations.replay(sampleLane, { errorContains: '422' }, operator)).toBe(1);
    const replayed = await claim();
    expect(replayed).toMatchObject([{ messageKey: 'a1', attempt: 1 }]);
    await settle(replayed, 'dead', 'HTTP 422');

    expect(await operations.discard(sampleLane, { errorContains: '422' }, operator, 1)).toBe(1);
    const [dead] = await rows();
    expect(dead?.discardedAt).toBeInstanceOf(Date);
    expect(keys(await claim())).toEqual(['a2']);
    expect(await operations.discard(sampleLane, {}, operator)).toBe(0);

    const actions = await engine.uow.read((tx) =>
      tx.entities.find(OutboxActionEntity, { order: { id: 'ASC' } }),
    );
    expect(actions).toMatchObject([
      { lane: 'sample', action: 'replay', actor: 'maria', reason: 'gateway was fixed', affectedCount: 1 },
      {
        lane: 'sample',
        action: 'discard',
        selection: JSON.stringify({ errorContains: '422', ids: [dead?.id] }),
      },
    ]);
  });

  it('replays by id, target and time, and only what is dead', async () => {
    for (const key of ['a', 'b', 'c']) await enqueue(key);
    const messages = await claim();
    await settle(messages.slice(0, 2), 'dead', 'no');
    await settle(messages.slice(2), 'done');
    const ids = messages.map(({ id }) => id);
    expect(await operations.countDead(sampleLane, { ids })).toBe(2);
    expect(await operations.countDead(sampleLane, { target: 'https://elsewhere.example/' })).toBe(0);
    expect(await operations.countDead(sampleLane, { createdFrom: new Date(Date.now() + 3_600_000) })).toBe(0);
    expect(
      await operations.replay(sampleLane, { ids: ids.slice(0, 1), createdFrom: new Date(0) }, operator),
    ).toBe(1);
    expect((await rows()).map(({ status }) => status)).toEqual(['Pending', 'Error', 'Sent']);
  });

  it('tells which targets are due and when', async () => {
    await enqueue('a');
    await enqueue('b', { targetUrl: 'https://b.example/' });
    await claim();
    const [due = []] = await new Lookout(engine.uow, [store], fail).look();
    expect(due.map(({ target }) => target).sort()).toEqual(['https://b.example/', TARGET]);
    expect(due.find(({ target }) => target === TARGET)?.dueInMs).toBeGreaterThan(LEASE_MS / 2);
    expect(due.find(({ target }) => target !== TARGET)?.dueInMs).toBeLessThanOrEqual(0);
  });

  it('tells of the others when it cannot look into one of the lanes', async () => {
    await enqueue('a');
    const gone = new LaneStore({ ...sampleLane, name: 'gone', table: 'TB_GONE' }, engine.uow);
    const troubled: string[] = [];
    const lookout = new Lookout(engine.uow, [gone, store, gone], (lane) => troubled.push(lane));
    expect((await lookout.look()).map((targets) => targets.map(({ target }) => target))).toEqual([
      [],
      [TARGET],
      [],
    ]);
    expect(troubled).toEqual(['gone', 'gone']);
  });

  it('adopts nothing beside a row of the same key that is under way', async () => {
    for (const key of ['a1', 'a2']) await enqueue(key, { orderKey: 'a' });
    const [first] = await claim();
    await settle(first ? [first] : [], 'dead', 'no');
    await operations.discard(sampleLane, {}, operator);
    const second = await claim();
    expect(keys(second)).toEqual(['a2']);
    expect(await operations.replayOne(sampleLane, first?.id ?? '', operator)).toBe(true);
    expect(await store.adopt()).toEqual({ adopted: 0, next: null });
    expect(await claim()).toEqual([]);
    await settle(second, 'done');
    expect(keys(await claim())).toEqual(['a1']);
  });

  it('adopts rows another system put back by hand, but not those behind an unfinished one', async () => {
    for (const key of ['a1', 'a2']) await enqueue(key, { orderKey: 'a' });
    await settle(await claim(), 'dead', 'no');
    await engine.uow.run((tx) =>
      tx.execute(
        `UPDATE ${tx.dialect.table('TB_SAMPLE_OUTBOX')} SET Status = 'Pending', AttemptCount = 0 WHERE MessageKey = 'a1'`,
      ),
    );
    expect(await claim()).toEqual([]);
    expect(await store.adopt()).toEqual({ adopted: 1, next: null });
    expect(keys(await claim())).toEqual(['a1']);
  });

  it('purges delivered rows past their age, in small batches, and nothing else', async () => {
    for (const key of ['old', 'dead', 'new']) await enqueue(key);
    const [old, dead] = await claim('worker#1', 2);
    if (old && dead) {
      await settle([old], 'done');
      await settle([dead], 'dead', 'no');
    }
    const days = 24 * 3_600;
    expect(await store.purge(90 * days)).toBe(0);
    expect(await store.purge(10_000 * days)).toBe(0);
    expect(await store.purge(-60)).toBe(1);
    expect((await rows()).map(({ messageKey }) => messageKey)).toEqual(['dead', 'new']);
  });

  it('leaves rows that are more than a message to their owner', async () => {
    await enqueue('kept');
    await settle(await claim(), 'done');
    const keeping = new LaneStore({ ...sampleLane, purges: false }, engine.uow);
    expect(await keeping.purge(-60)).toBe(0);
    expect(await rows()).toHaveLength(1);
  });

  it('has an order of its own on a table it shares', async () => {
    const half = (name: string) => ({
      ...sampleLane,
      name,
      filter: (alias: string) => `${alias}.BusinessDocId = '${name}'`,
    });
    const put = (name: string, messageKey: string) =>
      engine.uow.run((tx) =>
        outbox.enqueue(tx, half(name), {
          messageKey,
          orderKey: 'same',
          targetUrl: TARGET,
          payload: '{}',
          columns: { BusinessDocId: name },
        }),
      );
    for (const [name, key] of [
      ['bot', 'b1'],
      ['partner', 'p1'],
      ['partner', 'p2'],
    ] as const)
      await put(name, key);
    const partner = new LaneStore(half('partner'), engine.uow);
    const take = () =>
      engine.uow.run((tx) =>
        partner.claim(tx, { targets: [TARGET], owner: 'worker#1', limit: 10, leaseMs: LEASE_MS }),
      );
    const first = await take();
    expect(keys(first)).toEqual(['p1']);
    await engine.uow.run((tx) =>
      partner.settle(
        tx,
        first.map((message) => ({
          message,
          verdict: 'done' as const,
          delayMs: 0,
          error: null,
          isCertain: true,
        })),
      ),
    );
    expect(keys(await take())).toEqual(['p2']);
    expect((await rows()).map(({ status }) => status)).toEqual(['Pending', 'Sent', 'Sending']);
  });

  it('lets one of many replicas do the work of a period', async () => {
    const replicas = Array.from({ length: 5 }, () => new PeriodicTasks(engine.uow));
    let runs = 0;
    const work = () => Promise.resolve((runs += 1));
    await Promise.all(replicas.map((replica) => replica.once('purge', 60_000, work)));
    await Promise.all(replicas.map((replica) => replica.once('purge', 60_000, work)));
    expect(runs).toBe(1);
    await Promise.all(replicas.map((replica) => replica.once('purge', -60_000, work)));
    expect(runs).toBeGreaterThan(1);
  });
});
