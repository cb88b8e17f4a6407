import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askableLane, SampleAskableEntity } from '@malote/lanes/testing';
import { describeEachEngine } from '@malote/persistence/testing';
import { type LanesView } from './lane.dto.ts';
import { type MessageDetailView, type MessagesPage } from './message.dto.ts';
import { OPERATIONS_TABLES, OperationsClient } from './testing/operations-client.ts';
import { SampleRows } from './testing/sample-rows.ts';

const MESSAGES = '/api/ops/lanes/askable/messages';

describeEachEngine('a lane that can ask its target', OPERATIONS_TABLES, (engine) => {
  let maria: OperationsClient;
  const sample = new SampleRows(engine, SampleAskableEntity);

  describe('over HTTP', () => {
    beforeAll(async () => {
      maria = await OperationsClient.start(engine.databaseUrl, { lanes: [askableLane] });
    });

    afterAll(() => maria.close());

    it('tells what may have arrived from what certainly has not', async () => {
      const inDoubtSince = new Date('2026-07-01T12:00:00Z');
      const certain = await sample.add();
      const doubtful = await sample.add({ inDoubtSince, askCount: 3, status: 'Error' });
      const dead = await sample.addDead({ inDoubtSince, askCount: 9 });

      const one = async (id: string) => (await maria.get<MessageDetailView>(`${MESSAGES}/${id}`)).body;
      expect(await one(certain)).toMatchObject({ status: 'Pending', inDoubtSince: null, askCount: 0 });
      expect(await one(doubtful)).toMatchObject({
        status: 'in-doubt',
        inDoubtSince: inDoubtSince.toISOString(),
        askCount: 3,
      });
      expect(await one(dead)).toMatchObject({ status: 'dead', askCount: 9 });

      const listed = async (status: string) =>
        (await maria.get<MessagesPage>(MESSAGES, { status })).body.items.map(({ id }) => id);
      expect(await listed('in-doubt')).toEqual([doubtful]);
      expect(await listed('Error')).toEqual([]);
      const { lanes } = (await maria.get<LanesView>('/api/ops/lanes')).body;
      expect(lanes[0]?.depth.map(({ status }) => status).sort()).toEqual(['Pending', 'dead', 'in-doubt']);
    });
  });
});
