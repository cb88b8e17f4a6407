import { compareWithEntities } from '@malote/persistence/testing';
import { expect, it } from '@jest/globals';
import { getMetadataArgsStorage } from 'typeorm';
import { ADDRESS_LENGTHS, COUNTERPARTY_LENGTHS, FISCAL_REFERENCE_LENGTHS } from './column-lengths.ts';
import { CounterpartyAddressEntity } from './counterparty-address.entity.ts';
import { CounterpartyFiscalReferenceEntity } from './counterparty-fiscal-reference.entity.ts';
import { CounterpartyEntity } from './counterparty.entity.ts';

it('describes the tables as the T-SQL scripts create them', async () => {
  const entities = [CounterpartyEntity, CounterpartyAddressEntity, CounterpartyFiscalReferenceEntity];
  expect(await compareWithEntities(entities)).toEqual([]);
});

it.each([
  [CounterpartyEntity, COUNTERPARTY_LENGTHS],
  [CounterpartyAddressEntity, ADDRESS_LENGTHS],
  [CounterpartyFiscalReferenceEntity, FISCAL_REFERENCE_LENGTHS],
])('%p has a length for each of its VARCHAR columns', (entity, lengths) => {
  const columns = getMetadataArgsStorage().filterColumns(entity);
  const texts = columns.filter(({ options }) => options.type === 'varchar');
  expect(
    Object.fromEntries(texts.map(({ propertyName, options }) => [propertyName, options.length])),
  ).toEqual(lengths);
});
