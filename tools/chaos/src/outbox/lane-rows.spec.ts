import { varchar } from '@malote/persistence';
import { SqlRecorder } from '@malote/persistence/testing';
import { expect, it } from '@jest/globals';
import { LaneRows } from './lane-rows.ts';
import { stormLane } from './storm-lane.ts';

it('finds a message by the index of its key on SQL Server', async () => {
  const recorder = new SqlRecorder();

  await new LaneRows(recorder, stormLane(true).lane).isSent('m');

  const [said] = recorder.said;
  expect(said?.sql).toContain('t.MessageKey IS NOT NULL AND t.MessageKey = @messageKey');
  expect(said?.parameters).toEqual({ messageKey: varchar('m', 200) });
});
