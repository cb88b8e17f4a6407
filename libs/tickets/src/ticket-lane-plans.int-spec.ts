import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LaneStore } from '@malote/lanes';
import { Database } from '@malote/persistence';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Libsql from 'libsql';
import { TICKET_TABLES } from './testing/index.ts';
import { TICKET_LANES } from './ticket-lanes.ts';

/** These tables have many more indexes than lanes need; some hold all that was ever received. */
describe('what SQLite reads of the tables of tickets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'malote-plans-'));
  const file = join(folder, 'plans.db');
  const database = Database.open(`sqlite:${file}`, TICKET_TABLES);
  let connection: InstanceType<typeof Libsql>;

  beforeAll(async () => {
    await database.checkSchema();
    connection = new Libsql(file);
  });

  afterAll(async () => {
    connection.close();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(TICKET_LANES.map((lane) => [lane.name, lane] as const))(
    'to count what waits in %s is in the indexes of its lane',
    (_, lane) => {
      const { depth } = new LaneStore(lane, database.unitOfWork).sql;
      const rows = connection.prepare(`EXPLAIN QUERY PLAN ${depth}`).all() as { detail: string }[];
      const reads = rows.map(({ detail }) => detail).filter((line) => /^(SCAN|SEARCH) t\b/.test(line));
      expect(reads).toHaveLength(3);
      for (const read of reads) expect(read).toMatch(/ USING COVERING INDEX IX_\w+(Lane|Resting)\b/);
    },
  );
});
