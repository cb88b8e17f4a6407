import { Database, type Tx } from '@malote/persistence';
import { expect, it } from '@jest/globals';
import { ticketReturn } from './ticket-lanes.ts';

it('a claim of returns waits for no ticket that somebody keeps locked; whoever settles it does', async () => {
  const { dialect } = Database.open('mssql://u:p@127.0.0.1:1/db?encrypt=false', []).unitOfWork;
  const said: string[] = [];
  const tx = {
    dialect,
    query: (sql: string) => {
      said.push(sql);
      return Promise.resolve([]);
    },
  } as unknown as Tx;
  await ticketReturn.mirror?.(tx, ['1'], true);
  await ticketReturn.mirror?.(tx, ['1']);
  const [claiming, settling] = said.map(
    (sql) => /^UPDATE dbo\.TB_TICKET_INTERFACE WITH \((.*?)\)/.exec(sql)?.[1],
  );
  expect(claiming).toContain('READPAST');
  expect(settling).toBe('ROWLOCK');
});
