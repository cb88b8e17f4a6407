import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TargetStore } from '@malote/lanes';
import { describeEachEngine } from '@malote/persistence/testing';
import { TicketInterfaceEntity } from '@malote/tickets';
import { ticketRow } from '@malote/tickets/testing';
import { type TargetsView } from './target.dto.ts';
import { OPERATIONS_TABLES, OperationsClient } from './testing/operations-client.ts';
import { SampleRows } from './testing/sample-rows.ts';

const HOST = 'https://partners.example';

describeEachEngine('where lanes deliver to', OPERATIONS_TABLES, (engine) => {
  let maria: OperationsClient;
  const sample = new SampleRows(engine);

  describe('over HTTP', () => {
    beforeAll(async () => {
      maria = await OperationsClient.start(engine.databaseUrl);
    });

    afterAll(() => maria.close());

    const known = () => new TargetStore(engine.uow);
    const targets = async () => (await maria.get<TargetsView>('/api/ops/targets')).body.targets;

    it('shows an open breaker and how long nobody is sent to', async () => {
      await known().trip('https://down.example', 0, 30_000);
      await sample.add({ targetUrl: 'https://new.example/hook' });
      const found = await targets();
      expect(found).toMatchObject([
        { target: 'https://down.example', breaker: 'open', openCount: 1, paused: null, waiting: [] },
        { target: 'https://new.example', breaker: 'closed', waiting: [{ lane: 'sample', count: 1 }] },
      ]);
      expect(found[0]?.blockedForSeconds).toBeGreaterThan(20);
      expect(found[0]?.blockedForSeconds).toBeLessThanOrEqual(30);
    });

    it('shows an address that asked for patience beside its origin, and what waits for each', async () => {
      for (const path of ['/A', '/A', '/b']) await sample.add({ targetUrl: `${HOST}${path}` });
      await known().block(`${HOST}/a`, 30_000);
      const found = await targets();
      expect(found).toEqual([
        {
          target: HOST,
          breaker: 'closed',
          openCount: 0,
          blockedForSeconds: 0,
          paused: null,
          lastSuccessAt: null,
          waiting: [{ lane: 'sample', count: 3 }],
        },
        {
          target: `${HOST}/a`,
          breaker: null,
          openCount: 0,
          blockedForSeconds: expect.any(Number),
          paused: null,
          lastSuccessAt: null,
          waiting: [{ lane: 'sample', count: 2 }],
        },
      ]);
      expect(found[1]?.blockedForSeconds).toBeGreaterThan(20);
    });

    it('says no more of an address once its patience is over', async () => {
      await known().block(`${HOST}/a`, 1);
      await sleep(50);
      expect(await targets()).toEqual([]);
    });

    it('shows an application that asked for patience in the lane that knows it by its code', async () => {
      const due = { status: 'Processed', nextAttemptAt: null, gatewaySendNextAttemptAt: new Date() } as const;
      await engine.uow.run((tx) => tx.entities.insert(TicketInterfaceEntity, ticketRow(due)));
      await known().block('crn', 30_000);
      expect(await targets()).toMatchObject([
        {
          target: 'crn',
          blockedForSeconds: expect.any(Number),
          waiting: [{ lane: 'gateway-send', count: 1 }],
        },
      ]);
    });

    it('shows no lane among the targets', async () => {
      await maria.post('/api/ops/lanes/sample/pause', { reason: 'maintenance on Sunday' });
      expect(await targets()).toEqual([]);
    });
  });
});
