import { LaneStore } from '@malote/lanes';
import { sampleLane } from '@malote/lanes/testing';
import { SqlRecorder } from '@malote/persistence/testing';
import { expect, it } from '@jest/globals';
import { type MessageFilter, MessagesRepository } from './messages.repository.ts';

// SQL Server takes the filtered index of a column only for a query that says what its filter says.
it.each<[string, MessageFilter, string]>([
  ['message key', { messageKey: 'm' }, 't.MessageKey IS NOT NULL AND t.MessageKey = @messageKey'],
  ['document', { businessDocId: 'd' }, 't.BusinessDocId IS NOT NULL AND t.BusinessDocId = @businessDocId'],
])('says of a %s it looks for that it is not null', async (_, filter, condition) => {
  const recorder = new SqlRecorder();
  const store = new LaneStore(sampleLane, recorder);

  await recorder.read((tx) => new MessagesRepository().list(tx, store, filter, undefined, 10));

  expect(recorder.said.map(({ sql }) => sql)).toEqual([expect.stringContaining(condition)]);
});
