import { SqlRecorder } from '@malote/persistence/testing';
import { expect, it } from '@jest/globals';
import { conditionOf } from './counterparty-filter.ts';

// SQL Server takes the filtered index of a column only for a query that says what its filter says.
it('says of an id of a partner that there is one', () => {
  const { condition } = conditionOf(new SqlRecorder().dialect, {
    businessEntity: 'TCK',
    counterpartyId: '4711',
  });

  expect(condition).toContain('t.CounterpartyId IS NOT NULL AND t.CounterpartyId = @counterpartyId');
});
