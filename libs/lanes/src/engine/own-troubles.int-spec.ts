import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { type Tx } from '@malote/persistence';
import { describeEachEngine, UnitOfWorkAround } from '@malote/persistence/testing';
import { type Outcome } from '@malote/retry-policy';
import { laneSql } from '../lane/lane-sql.ts';
import { keys, LANE_FIXTURE_OPTIONS, LaneFixture, sampleLane } from '../testing/index.ts';
import { type LaneObserver } from './lane-observer.ts';

/** Handlers that misbehave, tables that are gone, databases that are slow. */
describeEachEngine('an engine goes on in spite of its own troubles', LANE_FIXTURE_OPTIONS, (engine) => {
  const lane = new LaneFixture(engine);

  it('goes on looking when the database could not tell whether somebody has committed', async () => {
    const troubles: unknown[] = [];
    class Deaf extends UnitOfWorkAround {
      override foreignCommits(): number | undefined {
        if (troubles.length < 2) throw new Error('not this time');
        return super.foreignCommits();
      }
    }
    const uow = new Deaf(engine.uow);
    lane.startAll([{ lane: sampleLane, deliver: lane.post }], {}, { uow, observer: troublesInto(troubles) });
    await lane.enqueue('m');
    await lane.eventually(lane.allSent);
    expect(troubles).toHaveLength(2);
  });

  it('gives the place of a delivery that never ends to the next one, and says so', async () => {
    const overdue: string[] = [];
    const delivered: string[] = [];
    const signals: AbortSignal[] = [];
    lane.start(
      {
        deliver: ({ messageKey, attempt }, { signal }) => {
          if (messageKey === 'hangs' && attempt === 1) {
            signals.push(signal);
            return new Promise(() => undefined);
          }
          delivered.push(messageKey);
          return Promise.resolve({ kind: 'delivered' });
        },
      },
      { concurrency: 1, deliveryLimitMs: 200 },
      { observer: { overdue: (_lane, { messageKey }) => overdue.push(messageKey) } },
    );
    await lane.enqueueAll(['hangs', 'next']);
    await lane.eventually(lane.allSent);
    expect(overdue).toEqual(['hangs']);
    expect(signals[0]?.aborted).toBe(true);
    expect(delivered).toEqual(['next', 'hangs']);
    expect((await lane.rows())[0]).toMatchObject({ attemptCount: 2 });
  });

  it('goes on after a handler that does not say what came of it', async () => {
    const answers: Record<string, unknown> = {
      nothing: undefined,
      text: 'done',
      stranger: { kind: 'posted' },
    };
    lane.start(
      {
        deliver: ({ messageKey }) =>
          Promise.resolve((messageKey in answers ? answers[messageKey] : { kind: 'delivered' }) as Outcome),
      },
      { concurrency: 1 },
    );
    await lane.enqueueAll([...Object.keys(answers), 'sound']);
    await lane.eventually(async () => {
      const rows = await lane.rows();
      return rows.every(({ nextAttemptAt }) => nextAttemptAt === null);
    });
    const rows = await lane.rows();
    expect(rows.map(({ status }) => status)).toEqual(['Error', 'Error', 'Error', 'Sent']);
    expect(rows[0]?.lastError).toContain('did not say what came of it');
  });

  it('lets no message die of deliveries that never end, at a target that takes none', async () => {
    lane.start({ deliver: () => new Promise(() => undefined) }, { deliveryLimitMs: 100 });
    await lane.enqueueAll(keys('m', 4));
    await lane.eventually(async () => (await lane.targets()).some(({ openCount }) => openCount > 0));
    await sleep(1_500);
    expect((await lane.rows()).map(({ nextAttemptAt }) => nextAttemptAt)).not.toContain(null);
  }, 20_000);

  it('works one lane off although the table of another is gone', async () => {
    const troubled = new Set<string>();
    const gone = { ...sampleLane, name: 'gone', table: 'TB_GONE' };
    lane.startAll(
      [
        { lane: gone, deliver: lane.post },
        { lane: sampleLane, deliver: lane.post },
      ],
      {},
      { observer: { troubled: (name) => troubled.add(name) } },
    );
    await lane.enqueue('m');
    await lane.eventually(lane.allSent);
    expect([...troubled]).toEqual(['gone']);
  });

  it('does not look all the time, however often others commit', async () => {
    let looks = 0;
    class SlowLooks extends UnitOfWorkAround {
      private commits = 0;

      override foreignCommits(): number {
        return (this.commits += 1);
      }

      protected override around(tx: Tx): Tx {
        const query: Tx['query'] = async (sql, parameters) => {
          if (sql.includes('GroupKey')) {
            looks += 1;
            await sleep(50);
          }
          return tx.query(sql, parameters);
        };
        return { ...tx, query };
      }
    }
    lane.startAll([{ lane: sampleLane, deliver: lane.post }], {}, { uow: new SlowLooks(engine.uow) });
    await sleep(1_000);
    expect(looks).toBeGreaterThan(1);
    expect(looks).toBeLessThanOrEqual(6);
  });

  it('renews leases once at a time, however long that takes', async () => {
    let underWay = 0;
    let most = 0;
    const { renew } = laneSql(sampleLane, engine.uow.dialect);
    class SlowRenewals extends UnitOfWorkAround {
      protected override around(tx: Tx): Tx {
        const query: Tx['query'] = async (sql, parameters) => {
          if (sql !== renew) return tx.query(sql, parameters);
          most = Math.max(most, (underWay += 1));
          await sleep(400);
          underWay -= 1;
          return tx.query(sql, parameters);
        };
        return { ...tx, query };
      }
    }
    const deliver = async () => {
      await sleep(1_500);
      return { kind: 'delivered' } as const;
    };
    const uow = new SlowRenewals(engine.uow);
    lane.startAll([{ lane: sampleLane, deliver }], { leaseMs: 900 }, { uow });
    await lane.enqueueAll(keys('m', 3));
    await lane.eventually(lane.allSent);
    expect(most).toBe(1);
  });
});

function troublesInto(troubles: unknown[]): LaneObserver {
  return { troubled: (_lane, error) => troubles.push(error) };
}
