import { compareWithEntities } from '@malote/persistence/testing';
import { expect, it } from '@jest/globals';
import { CounterpartyAddressEntity } from './counterparty-address.entity.ts';
import { CounterpartyFiscalReferenceEntity } from './counterparty-fiscal-reference.entity.ts';
import { CounterpartyEntity } from './counterparty.entity.ts';

it('describes the tables as the T-SQL scripts create them', async () => {
  const entities = [CounterpartyEntity, CounterpartyAddressEntity, CounterpartyFiscalReferenceEntity];
  expect(await compareWithEntities(entities)).toEqual([]);
});
