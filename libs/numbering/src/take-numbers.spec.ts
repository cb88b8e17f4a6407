import { SqlRecorder } from '@malote/persistence/testing';
import { expect, it } from '@jest/globals';
import { UNDESCRIBED } from './log-entry.ts';
import { takeNumbers } from './take-numbers.ts';

// SQL Server takes the filtered index of keys only for a query that says what its filter says.
it('says of the keys it looks for that they are not null', async () => {
  const recorder = new SqlRecorder();
  const request = {
    documentTypeId: 'type-1',
    user: { id: 'user-1', name: 'Ana', email: 'ana@city.example' },
    description: UNDESCRIBED,
    requestKey: 'key',
  };

  await recorder.run((tx) =>
    takeNumbers(tx, { documentTypeId: 'type-1', year: 2026 }, [{ request, at: new Date(0) }]),
  );

  expect(recorder.said[0]?.sql).toMatch(/ON l\.RequestKey = k\.RequestKey WHERE l\.RequestKey IS NOT NULL$/);
});
