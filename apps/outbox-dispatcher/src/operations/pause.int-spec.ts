import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LaneFixture, SampleOutboxEntity } from '@malote/lanes/testing';
import { describeEachEngine } from '@malote/persistence/testing';
import { type ActionsPage } from './action.dto.ts';
import { type LanesView } from './lane.dto.ts';
import { type TargetsView } from './target.dto.ts';
import { OPERATIONS_TABLES, OperationsClient } from './testing/operations-client.ts';

const reason = 'maintenance on Sunday';
/** Longer than a worker's knowledge of targets lasts. */
const LONG_ENOUGH_MS = 800;

describeEachEngine('pausing lanes and targets', OPERATIONS_TABLES, (engine) => {
  let maria: OperationsClient;
  const fixture = new LaneFixture(engine);

  describe('over HTTP', () => {
    beforeAll(async () => {
      maria = await OperationsClient.start(engine.databaseUrl);
    });

    afterAll(() => maria.close());

    const origin = () => new URL(fixture.sink.url()).origin;
    const laneNamed = async (name: string) => {
      const { body } = await maria.get<LanesView>('/api/ops/lanes');
      return body.lanes.find((lane) => lane.name === name);
    };

    it('shows every lane with what waits in it', async () => {
      await fixture.enqueueAll(['a', 'b']);
      await fixture.enqueueAll(['c1', 'c2'], { orderKey: 'c' });
      const { status, body } = await maria.get<LanesView>('/api/ops/lanes');
      expect(status).toBe(200);
      expect(body.lanes.map(({ name }) => name)).toEqual([
        'ticket-processing',
        'gateway-send',
        'functional-ack',
        'ticket-return',
        'sample',
      ]);
      expect(body.lanes[0]).toEqual({
        name: 'ticket-processing',
        depth: [],
        unfinished: 0,
        oldestSeconds: 0,
        paused: null,
      });
      expect(body.lanes[4]).toMatchObject({ unfinished: 4, paused: null });
      expect(body.lanes[4]?.depth).toEqual(
        expect.arrayContaining([
          { status: 'Pending', count: 3, oldestSeconds: expect.any(Number) },
          { status: 'parked', count: 1, oldestSeconds: expect.any(Number) },
        ]),
      );
      expect(body.totals).toEqual({ unfinished: 4, dead: 0, parked: 1, paused: 0 });
    });

    it('does not count the age of what is parked as the age of a lane', async () => {
      await fixture.enqueueAll(['c1', 'c2'], { orderKey: 'c' });
      const hourAgo = new Date(Date.now() - 3_600_000);
      await engine.uow.run((tx) =>
        tx.entities.update(SampleOutboxEntity, { messageKey: 'c2' }, { createdAt: hourAgo }),
      );
      const lane = await laneNamed('sample');
      expect(lane?.oldestSeconds).toBeLessThan(600);
      expect(lane?.depth.find(({ status }) => status === 'parked')?.oldestSeconds).toBeGreaterThan(3_000);
    });

    it('stops a lane for workers that run and for those that start later', async () => {
      fixture.start();
      const { status, body } = await maria.post('/api/ops/lanes/sample/pause', { reason });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        name: 'sample',
        paused: { by: 'maria', reason, since: expect.any(String) },
      });
      await sleep(LONG_ENOUGH_MS);

      fixture.start();
      await fixture.enqueue('a');
      await sleep(LONG_ENOUGH_MS);
      expect(fixture.sink.received).toEqual([]);
      expect(await laneNamed('sample')).toMatchObject({ paused: { by: 'maria' }, unfinished: 1 });

      expect((await maria.post('/api/ops/lanes/sample/resume', { reason })).body).toMatchObject({
        paused: null,
      });
      await fixture.eventually(fixture.allSent);
      expect(fixture.sink.received).toHaveLength(1);
    });

    it('stops a target for every worker, and shows what waits for it', async () => {
      await maria.post('/api/ops/targets/pause', { target: origin().toUpperCase(), reason });
      fixture.start();
      fixture.start();
      await fixture.enqueueAll(['a', 'b']);
      await fixture.enqueue('c', { targetUrl: fixture.sink.url('/other') });
      await sleep(LONG_ENOUGH_MS);
      expect(fixture.sink.received).toEqual([]);
      const { body } = await maria.get<TargetsView>('/api/ops/targets');
      expect(body.targets).toEqual([
        {
          target: origin(),
          breaker: 'closed',
          openCount: 0,
          blockedForSeconds: 0,
          paused: { by: 'maria', reason, since: expect.any(String) },
          lastSuccessAt: null,
          waiting: [{ lane: 'sample', count: 3 }],
        },
      ]);

      const resumed = await maria.post('/api/ops/targets/resume', { target: origin(), reason });
      expect(resumed).toMatchObject({ status: 200, body: { target: origin(), paused: null } });
      await fixture.eventually(fixture.allSent);
      await fixture.eventually(async () => {
        const [target] = (await maria.get<TargetsView>('/api/ops/targets')).body.targets;
        return target?.lastSuccessAt !== null && target?.waiting.length === 0;
      });
    });

    it.each([
      ['https://gateway.example/', 'did you mean https://gateway.example?'],
      ['https://gateway.example/api/v3?x=1', 'did you mean https://gateway.example?'],
      ['https://gateway.example:443', 'did you mean https://gateway.example?'],
      ['https://user:secret@gateway.example', 'did you mean https://gateway.example?'],
      ['gateway.example', 'such as https://gateway.example'],
      ['ftp://gateway.example', 'such as https://gateway.example'],
      ['lane:sample', 'such as https://gateway.example'],
      [`https://${'a'.repeat(60)}.${'b.'.repeat(150)}example`, 'at most 300 characters'],
    ])('takes %s for no target', async (target, message) => {
      for (const action of ['pause', 'resume']) {
        expect(await maria.post(`/api/ops/targets/${action}`, { target, reason })).toMatchObject({
          status: 400,
          body: { errors: [{ pointer: '/target', message: expect.stringContaining(message) }] },
        });
      }
      expect((await maria.get<ActionsPage>('/api/ops/actions')).body.items).toEqual([]);
    });

    it('pauses no lane that does not exist, and none without a reason', async () => {
      for (const action of ['pause', 'resume']) {
        expect((await maria.post(`/api/ops/lanes/nosuch/${action}`, { reason })).status).toBe(404);
        expect((await maria.post(`/api/ops/lanes/sample/${action}`, { reason: 'x' })).status).toBe(400);
        expect((await maria.post('/api/ops/targets/' + action, { target: 'https://a.example' })).status).toBe(
          400,
        );
      }
      expect(await fixture.targets()).toEqual([]);
    });

    it('remembers who did what, newest first, to be filtered', async () => {
      await maria.post('/api/ops/lanes/sample/pause', { reason });
      await maria.post('/api/ops/lanes/sample/resume', { Reason: 'done already' });
      await maria.post('/api/ops/lanes/ticket-return/pause', { reason });
      await maria.post('/api/ops/targets/pause', { target: 'https://a.example', reason });
      const list = async (query: Readonly<Record<string, string>>) =>
        (await maria.get<ActionsPage>('/api/ops/actions', query)).body;

      const { items } = await list({});
      expect(items).toMatchObject([
        { action: 'pause', lane: null, target: 'https://a.example' },
        { action: 'pause', lane: 'ticket-return', target: null },
        { action: 'resume', lane: 'sample', reason: 'done already' },
        { action: 'pause', lane: 'sample', actor: 'maria', reason, affected: 1, selection: {} },
      ]);
      expect((await list({ lane: 'sample' })).items).toHaveLength(2);
      expect((await list({ Lane: 'sample', ACTION: 'resume' })).items).toMatchObject([{ action: 'resume' }]);
      expect((await list({ actor: 'MARIA' })).items).toHaveLength(4);
      expect((await list({ actor: "m' OR '1'='1" })).items).toEqual([]);
      const first = await list({ limit: '3' });
      expect((await list({ limit: '3', cursor: first.next ?? '' })).items).toEqual(items.slice(3));
      for (const query of [{ action: 'delete' }, { limit: '0' }, { limit: '1000000000' }, { cursor: 'x' }]) {
        expect((await maria.get('/api/ops/actions', query)).status).toBe(400);
      }
    });
  });
});
