import { describe, expect, it } from '@jest/globals';
import { type UnitOfWork } from '@malote/persistence';
import { SqlRecorder } from '@malote/persistence/testing';
import { getMetadataArgsStorage } from 'typeorm';
import { Operations } from '../operators/operations.ts';
import { askableLane, sampleLane, SampleOutboxEntity } from '../testing/index.ts';
import { LaneSql } from './lane-sql.ts';
import { DELIVERY_TRANSITIONS } from './lane-states.ts';
import { LaneStore } from './lane-store.ts';
import { defineLane, type Lane } from './lane.ts';
import { Outbox } from './outbox.ts';

const COLUMNS = sampleLane.columns;
const TABLE = 'TB_DOCUMENT';

/** Like the lanes of tickets: states of its own among the columns of a document, and a condition of its own. */
const documentLane = defineLane({
  name: 'document',
  table: TABLE,
  columns: {
    ...COLUMNS,
    status: 'SendStatus',
    nextAttemptAt: 'SendNextAttemptAt',
    leaseOwner: 'SendLeaseOwner',
    updatedAt: 'UpdatedAt',
  },
  transitions: DELIVERY_TRANSITIONS,
  waiting: 'Pending',
  target: 'TargetCode',
  messageKey: 'MessageKey',
  orderKey: 'OrderKey',
  payload: ['RawJson'],
  filter: (row) => `${row}.Kind = 'out'`,
  ready: (row, database, hint) =>
    `EXISTS (SELECT 1 FROM ${database.table(TABLE)} AS p ${hint} WHERE p.DocumentId = ${row}.DocumentId AND p.Phase = 1)`,
  canBecomeDue: (row) => `${row}.Status = 'Processed'`,
  purges: true,
});

const { dialect } = new SqlRecorder();
const operator = { actor: 'maria', reason: 'the target is back' };
const message = { messageKey: 'm', targetUrl: 'https://a.example', payload: '{}' };

async function saidBy(lane: Lane, work: (uow: UnitOfWork) => Promise<unknown>): Promise<string[]> {
  const recorder = new SqlRecorder([{ Id: '7', Ready: 1, [lane.orderKey ?? 'OrderKey']: 'key' }]);
  await work(recorder);
  return recorder.said.map(({ sql }) => sql).filter((sql) => sql.includes(`dbo.${lane.table} `));
}

/** The statements people's actions consist of. */
async function actionsOf(lane: Lane): Promise<string[]> {
  return saidBy(lane, async (uow) => {
    const operations = new Operations(uow, new Outbox());
    await operations.replay(lane, {}, operator);
    await operations.replayOne(lane, '7', operator);
    await operations.discard(lane, {}, operator);
  });
}

/** All a lane says to the server. */
async function statementsOf(lane: Lane): Promise<string[]> {
  const built: unknown[] = Object.values(new LaneSql(lane, dialect));
  const others = await saidBy(lane, async (uow) => {
    const store = new LaneStore(lane, uow);
    await uow.run((tx) => new Outbox().enqueue(tx, lane, { ...message, orderKey: 'key' }));
    await uow.run((tx) => new Outbox().enqueueAll(tx, lane, [{ ...message, orderKey: 'key' }]));
    await uow.read((tx) => store.underWay(tx, 'https://a.example'));
    await uow.read((tx) => store.waiting(tx));
  });
  return [...built.filter((sql) => typeof sql === 'string'), ...others, ...(await actionsOf(lane))];
}

/** A statement without what stands in parentheses: its own target and condition, not those of its subqueries. */
function outside(sql: string): string {
  const less = sql.replace(/\([^()]*\)/g, '');
  return less === sql ? sql : outside(less);
}

/** Conditions in which a column is compared, up to there, and what each has to say of it as well. */
function comparisons(sql: string, columns: readonly (string | null)[]) {
  const compared = new RegExp(`\\b(\\w+)\\.(${columns.join('|')}) (=|<>|<=|>=|<|>) `, 'g');
  return [...sql.matchAll(compared)].map(({ 0: comparison, 1: row = '', 2: column = '', index }) => {
    const text = sql.slice(sql.lastIndexOf('WHERE ', index), index + comparison.length);
    return { text, needed: `${row}.${column} IS NOT NULL` };
  });
}

describe.each([sampleLane, askableLane, documentLane])('the T-SQL of the lane $name', (lane) => {
  const sql = new LaneSql(lane, dialect);
  const { columns: c, messageKey, orderKey } = lane;

  // Under an alias some servers join the table with itself: 11 ms for each row.
  it('names the target of every update without an alias', async () => {
    const updates = (await statementsOf(lane)).filter((statement) => statement.includes('UPDATE '));
    expect(updates.length).toBeGreaterThanOrEqual(8);
    for (const update of updates) {
      expect(update).toMatch(new RegExp(`^UPDATE dbo\\.${lane.table} WITH \\(`));
      expect(outside(update)).not.toMatch(/\bdbo\.\w+ AS /);
    }
  });

  it('skips held rows where a claim looks and where it writes, and says twice what is due', () => {
    const skip = 'WITH (ROWLOCK, UPDLOCK, READPAST)';
    expect(sql.claim).toMatch(new RegExp(`^UPDATE dbo\\.${lane.table} `));
    expect(sql.claim.split(skip)).toHaveLength(3);
    expect(sql.claim).toContain(`UPDATE dbo.${lane.table} ${skip} SET `);
    expect(sql.claim).toContain(`FROM dbo.${lane.table} AS t ${skip} WHERE `);
    for (const row of [lane.table, 't']) {
      expect(sql.claim).toContain(`${row}.${c.nextAttemptAt} IS NOT NULL AND ${row}.${c.status} <> 'Sent'`);
      expect(sql.claim).toContain(`${row}.${c.nextAttemptAt} <= SYSUTCDATETIME()`);
    }
  });

  it('waits for held rows wherever somebody relies on the change: workers, the sweep and people', async () => {
    const { settle, promote, adopt } = sql;
    const actions = (await actionsOf(lane)).filter((statement) => statement.startsWith('UPDATE'));
    expect(actions.length).toBeGreaterThanOrEqual(4);
    for (const statement of [settle, promote, adopt, ...actions]) {
      expect(statement).toMatch(/^UPDATE /);
      expect(statement).not.toContain('READPAST');
    }
  });

  it('renews leases past rows that somebody keeps locked', () => {
    expect(sql.renew).toMatch(
      new RegExp(`^UPDATE dbo\\.${lane.table} WITH \\(ROWLOCK, UPDLOCK, READPAST\\) SET `),
    );
    expect(sql.taken).toContain(`JOIN dbo.${lane.table} AS t WITH (READCOMMITTEDLOCK, READPAST, ROWLOCK)`);
  });

  // Whoever skips locked rows still waits for locked pages.
  it('locks nothing but rows where it purges', () => {
    expect(sql.purge).toMatch(new RegExp(`^DELETE FROM dbo\\.${lane.table} WITH \\(ROWLOCK\\) WHERE `));
  });

  it('says of every indexed column it compares that it is not null', async () => {
    const found = (await statementsOf(lane)).flatMap((statement) =>
      comparisons(statement, [c.nextAttemptAt, messageKey, orderKey]),
    );
    expect(found.length).toBeGreaterThanOrEqual(8);
    for (const { text, needed } of found) expect(text).toContain(needed);
  });
});

// Whoever goes on from an index to its rows takes locks in the other order than whoever changes a row and then its index.
it('reads the order of a key from its index alone', () => {
  const sql = new LaneSql(sampleLane, dialect);
  const index = getMetadataArgsStorage().indices.find(
    ({ target, name }) => target === SampleOutboxEntity && name === 'IX_TB_SAMPLE_OUTBOX_OrderKey',
  );
  const told = (index?.columns as string[]).map((name) => name.charAt(0).toUpperCase() + name.slice(1));

  for (const text of [sql.dueAtEnqueue('@OrderKey'), sql.promote]) {
    // What the filter says word for word is known of every row in it.
    const asked = text.replaceAll("w.Status <> 'Sent'", '').matchAll(/\bw\.(\w+)/g);
    expect(told).toEqual(expect.arrayContaining([...asked].map(([, column]) => column)));
  }
  expect(index?.where).toContain("Status <> 'Sent'");
});
