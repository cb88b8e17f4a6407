import { compareWithEntities } from '@malote/persistence/testing';
import { expect, it } from '@jest/globals';
import { NUMBERING_TABLES } from './numbering-tables.ts';

it('describes the tables as the T-SQL scripts create them', async () => {
  expect(await compareWithEntities(NUMBERING_TABLES)).toEqual([]);
});
