import { beforeEach, expect, it } from '@jest/globals';
import { describeEachEngine } from '@malote/persistence/testing';
import { ActionLog, type ActionFilter } from './action-log.ts';
import { LaneStore } from '../lane/lane-store.ts';
import { Outbox } from '../lane/outbox.ts';
import { TargetStore } from '../targets/target-store.ts';
import { Operations } from './operations.ts';
import { LANE_FIXTURE_OPTIONS, sampleLane, SampleOutboxEntity } from '../testing/index.ts';

const TARGET = 'https://gateway.example/hook';
const maria = { actor: 'maria', reason: 'gateway was fixed' };
const joao = { actor: 'joao', reason: 'partner asked for it' };
const LONG_AGO = new Date('2020-01-01T00:00:00Z');

describeEachEngine('what operators do', LANE_FIXTURE_OPTIONS, (engine) => {
  let operations: Operations;
  const log = new ActionLog();

  beforeEach(() => {
    operations = new Operations(engine.uow, new Outbox());
  });

  const addDead = async (more: Partial<SampleOutboxEntity> = {}): Promise<string> => {
    const row = {
      payloadJson: '{}',
      targetUrl: TARGET,
      status: 'Error',
      nextAttemptAt: null,
      ...more,
    } as const;
    const { identifiers } = await engine.uow.run((tx) => tx.entities.insert(SampleOutboxEntity, row));
    return String(identifiers[0]?.id);
  };
  const statuses = async () => {
    const rows = await engine.uow.read((tx) =>
      tx.entities.find(SampleOutboxEntity, { order: { id: 'ASC' } }),
    );
    return rows.map(({ status }) => status);
  };
  const list = (filter: ActionFilter = {}, before?: string, count = 10) =>
    engine.uow.read((tx) => log.list(tx, filter, before, count));
  const naming = (id: string, since = LONG_AGO) =>
    engine.uow.read((tx) => log.naming(tx, [{ lane: 'sample', id }], since));

  it('replays as many as were expected, or none', async () => {
    await addDead();
    await addDead();
    await expect(operations.replay(sampleLane, {}, maria, 3)).rejects.toMatchObject({
      kind: 'conflict',
      code: 'not-as-expected',
      details: { expected: 3, matching: 2 },
    });
    expect(await statuses()).toEqual(['Error', 'Error']);
    expect(await list()).toEqual([]);
    expect(await operations.replay(sampleLane, {}, maria, 2)).toBe(2);
    expect(await statuses()).toEqual(['Pending', 'Pending']);
  });

  it('refuses a filter by target for a lane without targets', async () => {
    await addDead();
    const own = { ...sampleLane, target: null };
    await expect(operations.replay(own, { target: TARGET }, maria)).rejects.toMatchObject({
      code: 'lane-has-no-target',
    });
    expect(await statuses()).toEqual(['Error']);
  });

  it('records which rows a filter meant', async () => {
    const [first, second] = [
      await addDead({ lastError: 'HTTP 422' }),
      await addDead({ lastError: 'HTTP 400' }),
    ];
    await operations.replay(sampleLane, { errorContains: '422', createdFrom: LONG_AGO }, maria);
    expect(await naming(first)).toMatchObject([
      {
        lane: 'sample',
        action: 'replay',
        ...maria,
        affectedCount: 1,
        selection: { errorContains: '422', createdFrom: LONG_AGO.toISOString(), ids: [first] },
      },
    ]);
    expect(await naming(second)).toEqual([]);
    expect(await naming(first, new Date(Date.now() + 3_600_000))).toEqual([]);
  });

  it('tells an id from a longer one, and from a target of that name', async () => {
    const id = await addDead();
    await operations.replay(sampleLane, { ids: [id] }, maria);
    expect(await naming(id.slice(0, -1) || '0')).toEqual([]);
    expect(await naming(`${id}0`)).toEqual([]);
    await addDead({ targetUrl: 'x1' });
    await operations.replay(sampleLane, { target: 'x1' }, maria);
    expect(await naming('x1')).toEqual([]);
  });

  it('lists actions newest first, by lane, actor and action', async () => {
    await operations.replay(sampleLane, { ids: [await addDead()] }, maria);
    await operations.pause('lane:sample', joao);
    await operations.pause('https://gateway.example', joao);
    const all = await list();
    expect(all.map(({ lane, action }) => [lane, action])).toEqual([
      ['https://gateway.example', 'pause'],
      ['lane:sample', 'pause'],
      ['sample', 'replay'],
    ]);
    expect((await list({ lane: 'sample' })).map(({ lane }) => lane)).toEqual(['lane:sample', 'sample']);
    expect(await list({ actor: 'joao', action: 'pause' })).toHaveLength(2);
    expect(await list({}, all[1]?.id)).toEqual(all.slice(2));
    expect(await list({}, undefined, 1)).toEqual(all.slice(0, 1));
  });

  it('reports who paused a target, why and since when', async () => {
    const targets = new TargetStore(engine.uow);
    const reports = () => engine.uow.read((tx) => targets.reports(tx));
    expect(await reports()).toEqual([]);
    await operations.pause('https://gateway.example', maria);
    const [report] = await reports();
    expect(report).toMatchObject({
      target: 'https://gateway.example',
      paused: true,
      pause: { by: 'maria', reason: maria.reason },
    });
    expect(Math.abs(Date.now() - (report?.pause?.since.getTime() ?? 0))).toBeLessThan(60_000);
    await operations.resume('https://gateway.example', maria);
    expect(await reports()).toMatchObject([{ paused: false, pause: null }]);
  });

  it('counts what waits for each target', async () => {
    await addDead();
    const due = { status: 'Pending', nextAttemptAt: new Date() } as const;
    await addDead(due);
    await addDead(due);
    await addDead({ ...due, targetUrl: 'https://other.example/' });
    const store = new LaneStore(sampleLane, engine.uow);
    const waiting = await engine.uow.read((tx) => store.waiting(tx));
    expect(waiting.sort((a, b) => b.count - a.count)).toEqual([
      { target: TARGET, count: 2 },
      { target: 'https://other.example/', count: 1 },
    ]);
    const own = new LaneStore({ ...sampleLane, target: null }, engine.uow);
    expect(await engine.uow.read((tx) => own.waiting(tx))).toEqual([]);
  });

  it('gives every row one of the names of its states', async () => {
    const at = new Date();
    await addDead();
    for (const status of ['Pending', 'Sending', 'Error'] as const)
      await addDead({ status, nextAttemptAt: at });
    for (const status of ['Pending', 'Sending', 'Sent'] as const) await addDead({ status });
    await addDead({ discardedAt: at });
    const { sql } = new LaneStore(sampleLane, engine.uow);
    const table = engine.uow.dialect.table('TB_SAMPLE_OUTBOX');
    const counted: Record<string, number> = {};
    for (const name of sql.stateNames) {
      const rows = await engine.uow.read((tx) =>
        tx.query<{ State: string }>(
          `SELECT ${sql.state('t')} AS State FROM ${table} AS t WHERE ${sql.inState(name, 't')}`,
        ),
      );
      expect(rows.every(({ State }) => State === name)).toBe(true);
      counted[name] = rows.length;
    }
    expect(counted).toEqual({ Pending: 1, Sending: 1, Sent: 1, Error: 1, dead: 1, parked: 2, discarded: 1 });
  });

  it('tells rows a lane has nothing to do with from those that wait', async () => {
    const lane = { ...sampleLane, canBecomeDue: (row: string) => `${row}.BusinessDocId = 'mine'` };
    const { sql } = new LaneStore(lane, engine.uow);
    await addDead({ businessDocId: 'mine' });
    await addDead({ businessDocId: 'not mine' });
    await addDead({ businessDocId: 'mine', status: 'Pending' });
    await addDead({ businessDocId: 'not mine', status: 'Pending' });
    const table = engine.uow.dialect.table('TB_SAMPLE_OUTBOX');
    for (const [name, count] of Object.entries({ dead: 1, parked: 1, idle: 2 })) {
      const rows = await engine.uow.read((tx) =>
        tx.query<{ State: string }>(
          `SELECT ${sql.state('t')} AS State FROM ${table} AS t WHERE ${sql.inState(name, 't')}`,
        ),
      );
      expect(rows.map(({ State }) => State)).toEqual(Array<string>(count).fill(name));
    }
    expect(await operations.countDead(lane, {})).toBe(1);
    expect(await operations.replay(lane, {}, maria)).toBe(1);
  });

  it('brings a discarded row back by its id only, and not beside another of its key', async () => {
    const order = { orderKey: 'k' };
    const first = await addDead(order);
    const second = await addDead({ ...order, status: 'Pending' });
    await operations.discard(sampleLane, { ids: [first] }, maria);
    const dueIds = async () => {
      const rows = await engine.uow.read((tx) => tx.entities.find(SampleOutboxEntity));
      return rows.filter(({ nextAttemptAt }) => nextAttemptAt !== null).map(({ id }) => id);
    };
    expect(await dueIds()).toEqual([second]);
    expect(await operations.replay(sampleLane, {}, maria)).toBe(0);
    expect(await operations.replayOne(sampleLane, first, maria)).toBe(true);
    expect(await dueIds()).toEqual([second]);

    const store = new LaneStore(sampleLane, engine.uow);
    await engine.uow.run(async (tx) => {
      const messages = await store.claim(tx, { targets: [TARGET], owner: 'w#1', limit: 10, leaseMs: 60_000 });
      const done = { verdict: 'done', delayMs: 0, error: null, isCertain: true } as const;
      await store.settle(
        tx,
        messages.map((message) => ({ ...done, message })),
      );
    });
    expect(await dueIds()).toEqual([first]);
    expect(await operations.replayOne(sampleLane, second, maria)).toBe(false);
  });
});
