import { compareWithEntities } from '@malote/persistence/testing';
import { expect, it } from '@jest/globals';
import { TICKET_ENTITIES } from './ticket-entities.ts';

it('describes the tables as the T-SQL scripts create them', async () => {
  expect(await compareWithEntities([...TICKET_ENTITIES])).toEqual([]);
});
