import { compareWithEntities } from '@malote/persistence/testing';
import { expect, it } from '@jest/globals';
import { AUTH_TABLES } from './auth-tables.ts';

it('describes the tables as the T-SQL scripts create them', async () => {
  expect(await compareWithEntities(AUTH_TABLES)).toEqual([]);
});
