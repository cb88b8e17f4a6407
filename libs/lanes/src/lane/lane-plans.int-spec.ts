import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '@malote/persistence';
import Libsql from 'libsql';
import { LANE_FIXTURE_OPTIONS, sampleLane } from '../testing/index.ts';
import { laneSql } from './lane-sql.ts';

/** What a statement costs must not depend on how many rows lie in the table: each begins with an index that holds few. */
describe('the plans of a lane on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'malote-plans-'));
  const file = join(folder, 'plans.db');
  const database = Database.open(`sqlite:${file}`, LANE_FIXTURE_OPTIONS.entities);
  const sql = laneSql(sampleLane, database.unitOfWork.dialect);
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

  const planOf = (statement: string): string[] => {
    const names = [...statement.matchAll(/@(\w+)/g)].map(([, name]) => name ?? '');
    const parameters = Object.fromEntries(names.map((name) => [name, '[]']));
    const rows = connection.prepare(`EXPLAIN QUERY PLAN ${statement}`).all(parameters);
    return (rows as { detail: string }[]).map(({ detail }) => detail);
  };
  const LANE = 'INDEX IX_TB_SAMPLE_OUTBOX_Lane (TargetUrl=? AND NextAttemptAt>? AND NextAttemptAt<?)';
  const RESTING = 'INDEX IX_TB_SAMPLE_OUTBOX_Resting';
  const PURGE = 'INDEX IX_TB_SAMPLE_OUTBOX_Status_CreatedAt (Status=? AND CreatedAt<?)';
  const ORDER = 'INDEX IX_TB_SAMPLE_OUTBOX_OrderKey';

  it.each([
    ['settle', sql.settle],
    ['renew', sql.renew],
    ['promote', sql.promote],
    ['adopt', sql.adopt],
  ])('%s goes from the ids to the rows', (_, statement) => {
    const plan = planOf(statement);
    expect(plan).toContainEqual(expect.stringMatching(/^SEARCH t USING INTEGER PRIMARY KEY/));
    expect(plan).not.toContainEqual(expect.stringMatching(/^SCAN (t|w|a)\b/));
  });

  it.each([
    ['claim', sql.claim, LANE],
    ['promote', sql.promote, ORDER],
    ['slice', sql.slice, RESTING],
    ['purge', sql.purge, PURGE],
  ])('%s finds rows by the index made for it', (_, statement, index) => {
    expect(planOf(statement)).toContainEqual(expect.stringContaining(index));
  });

  it('depth reads small indexes and no row', () => {
    const plan = planOf(sql.depth);
    expect(plan).toContainEqual(expect.stringContaining(`COVERING INDEX IX_TB_SAMPLE_OUTBOX_Lane`));
    expect(plan).toContainEqual(expect.stringContaining(`COVERING INDEX IX_TB_SAMPLE_OUTBOX_Resting`));
    expect(plan.filter((line) => /^(SCAN|SEARCH) t\b/.test(line))).toHaveLength(3);
  });
});
