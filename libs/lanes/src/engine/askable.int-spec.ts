import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { describeEachEngine } from '@malote/persistence/testing';
import { type Answer, type Outcome } from '@malote/retry-policy';
import { type Settlement } from '../lane/settlement.ts';
import { askableLane, keys, LANE_FIXTURE_OPTIONS, LaneFixture, sampleLane } from '../testing/index.ts';
import { checkHandler, type LaneHandler, type Lease } from './lane-handler.ts';

const operator = { actor: 'maria', reason: 'the target was repaired' };
const LOST: Outcome = { kind: 'unknown', blame: 'either', reason: 'the answer was lost' };
const ABSENT: Answer = { kind: 'absent', reason: 'not found' };

/** A target that remembers what it was sent, and says what it is told to say. */
class Authority {
  readonly ledger: string[] = [];
  readonly questions: string[] = [];
  readonly settled: Settlement[] = [];
  onDelivery: (key: string) => Promise<Outcome> | Outcome = (key) => ({
    kind: 'delivered',
    receipt: `protocol of ${key}`,
  });
  onQuestion: (key: string) => Promise<Answer> | Answer = (key) =>
    this.ledger.includes(key) ? { kind: 'delivered', receipt: `protocol of ${key}` } : ABSENT;

  get handler(): LaneHandler {
    return {
      lane: askableLane,
      deliver: async ({ messageKey }) => {
        this.ledger.push(messageKey);
        return this.onDelivery(messageKey);
      },
      ask: async ({ messageKey }) => {
        this.questions.push(messageKey);
        return this.onQuestion(messageKey);
      },
      onSettled: (_tx, settlements) => {
        this.settled.push(...settlements);
        return Promise.resolve();
      },
    };
  }
}

const countOf = (ledger: readonly string[], key: string) => ledger.filter((entry) => entry === key).length;
const forEver = () => new Promise<never>(() => undefined);

describeEachEngine('a message that must not be sent twice', LANE_FIXTURE_OPTIONS, (engine) => {
  const lane = new LaneFixture(engine, askableLane);
  const firstRow = async () => (await lane.rows())[0];
  const isHeld = async () => (await firstRow())?.leaseOwner !== null;

  it('is in doubt from the claim on, before its handler is called', async () => {
    const authority = new Authority();
    let seen: Date | null | undefined;
    authority.onDelivery = async () => {
      seen = (await firstRow())?.inDoubtSince;
      return { kind: 'delivered' };
    };
    lane.startAll([authority.handler]);
    await lane.enqueue('note');
    await lane.eventually(lane.allSent);
    expect(seen).toBeInstanceOf(Date);
    expect(await firstRow()).toMatchObject({ inDoubtSince: null, askCount: 0, attemptCount: 1 });
  });

  it('is adopted with its receipt when the answer was lost', async () => {
    const authority = new Authority();
    authority.onDelivery = () => LOST;
    lane.startAll([authority.handler]);
    await lane.enqueue('note');
    await lane.eventually(lane.allSent);
    expect(authority.ledger).toEqual(['note']);
    expect(authority.questions).toEqual(['note']);
    const last = authority.settled.at(-1);
    expect(last).toMatchObject({ verdict: 'done', receipt: 'protocol of note', isCertain: true });
  });

  it.each([
    ['that may have been processed', { kind: 'failed', blame: 'target', reason: 'HTTP 503', final: false }],
    ['nobody has classified', { kind: 'failed', blame: 'message', reason: 'who knows', final: true }],
  ] as const)('is asked about after a failure %s', async (_, failure) => {
    const authority = new Authority();
    authority.onDelivery = () => failure;
    lane.startAll([authority.handler]);
    await lane.enqueue('note');
    await lane.eventually(lane.allSent);
    expect(authority.ledger).toEqual(['note']);
  });

  it('is asked about when its handler throws', async () => {
    const authority = new Authority();
    authority.onDelivery = () => Promise.reject(new Error('a bug after the bytes left'));
    lane.startAll([authority.handler]);
    await lane.enqueue('note');
    await lane.eventually(lane.allSent);
    expect(authority.ledger).toEqual(['note']);
  });

  it('is simply sent again when nothing has left', async () => {
    const authority = new Authority();
    authority.onDelivery = () =>
      authority.ledger.length > 1
        ? { kind: 'delivered' }
        : { kind: 'failed', blame: 'message', reason: 'no certificate', final: false, processed: 'no' };
    lane.startAll([authority.handler]);
    await lane.enqueue('note');
    await lane.eventually(lane.allSent);
    expect(authority.questions).toEqual([]);
    expect(await firstRow()).toMatchObject({ attemptCount: 2 });
  });

  it('is sent again once its absence has lasted, and not before', async () => {
    const authority = new Authority();
    let lostAt = 0;
    let sentAgainAt = 0;
    authority.onDelivery = () => {
      if (authority.ledger.length === 1) {
        lostAt = Date.now();
        return LOST;
      }
      sentAgainAt = Date.now();
      return { kind: 'delivered' };
    };
    authority.onQuestion = () => ABSENT;
    lane.startAll([authority.handler], {
      ask: { baseMs: 20, factor: 1, capMs: 20, limit: 100, slowMs: 20, quietMs: 400 },
    });
    await lane.enqueue('note');
    await lane.eventually(lane.allSent);
    expect(authority.ledger).toHaveLength(2);
    expect(authority.questions.length).toBeGreaterThan(1);
    expect(sentAgainAt - lostAt).toBeGreaterThanOrEqual(390);
  });

  it('is not sent again for an absence that something else was said in between', async () => {
    const authority = new Authority();
    let absentAgainAt = 0;
    let sentAgainAt = 0;
    authority.onDelivery = () => {
      if (authority.ledger.length === 1) return LOST;
      sentAgainAt = Date.now();
      return { kind: 'delivered' };
    };
    authority.onQuestion = () => {
      if (authority.questions.length === 2) return { kind: 'later', afterMs: 450, reason: 'in the queue' };
      if (authority.questions.length === 3) absentAgainAt = Date.now();
      return ABSENT;
    };
    lane.startAll([authority.handler], {
      ask: { baseMs: 20, factor: 1, capMs: 20, limit: 100, slowMs: 20, quietMs: 400 },
    });
    await lane.enqueue('note');
    await lane.eventually(lane.allSent);
    expect(authority.ledger).toHaveLength(2);
    expect(sentAgainAt - absentAgainAt).toBeGreaterThanOrEqual(390);
  });

  it('is asked about by whoever takes it over from a worker that vanished', async () => {
    const authority = new Authority();
    authority.onDelivery = forEver;
    const dying = lane.startAll([authority.handler], { leaseMs: 300 }, { drainMs: 0 });
    await lane.enqueue('note');
    await lane.eventually(() => authority.ledger.length === 1);
    await dying.stop();
    const next = new Authority();
    next.onQuestion = () => ({ kind: 'delivered', receipt: 'found' });
    lane.startAll([next.handler], { leaseMs: 300 });
    await lane.eventually(lane.allSent);
    expect(next.ledger).toEqual([]);
    expect(next.settled).toMatchObject([{ verdict: 'done', receipt: 'found' }]);
  });

  it.each<['delivery' | 'question', Outcome]>([
    ['delivery', LOST],
    ['question', { kind: 'failed', blame: 'either', reason: 'nothing left', final: false, processed: 'no' }],
  ])('stays in doubt when a %s is cut off at the end of a process', async (what, whenCutOff) => {
    const authority = new Authority();
    authority.onDelivery = () => LOST;
    const cutOff = (_: unknown, { signal }: Lease) =>
      new Promise<Outcome>((resolve) => {
        signal.addEventListener('abort', () => {
          resolve(whenCutOff);
        });
      });
    const { handler } = authority;
    const isQuestion = what === 'question';
    const stopping = lane.startAll(
      [{ ...handler, ...(isQuestion ? { ask: cutOff } : { deliver: cutOff }) }],
      {},
      { drainMs: 50 },
    );
    await lane.enqueue('note');
    await lane.eventually(
      async () => (await firstRow())?.askCount === (isQuestion ? 1 : 0) && (await isHeld()),
    );
    await stopping.stop();
    expect(await firstRow()).toMatchObject({ status: 'Pending', leaseOwner: null });
    expect((await firstRow())?.inDoubtSince).toBeInstanceOf(Date);
    lane.startAll([{ ...handler, ask: () => Promise.resolve({ kind: 'delivered', receipt: 'found' }) }]);
    await lane.eventually(lane.allSent);
    expect(authority.ledger).toEqual(isQuestion ? ['note'] : []);
  });

  it('does not die of a target that answers questions and takes nothing', async () => {
    const authority = new Authority();
    authority.onDelivery = () => LOST;
    authority.onQuestion = () => ABSENT;
    lane.startAll([authority.handler], {
      ask: { baseMs: 10, factor: 1, capMs: 10, limit: 100, slowMs: 10, quietMs: 20 },
    });
    const notes = keys('note', 4);
    await lane.enqueueAll(notes);
    await lane.eventually(() => notes.every((note) => countOf(authority.ledger, note) > 4), 15_000);
    const rows = await lane.rows();
    expect(rows.map(({ nextAttemptAt }) => nextAttemptAt)).not.toContain(null);
    authority.onDelivery = () => ({ kind: 'delivered' });
    await lane.eventually(lane.allSent);
  }, 25_000);

  it('is claimed with as many others as it can be begun with, and not with too many for one statement', async () => {
    const authority = new Authority();
    lane.startAll(
      [authority.handler],
      { concurrency: 2_000 },
      { budget: { rows: 20_000, bytes: 1_000_000_000 } },
    );
    await lane.enqueue('note');
    await lane.eventually(lane.allSent);
  });

  it('is not claimed before it can be begun', async () => {
    const authority = new Authority();
    let finish: () => void = () => undefined;
    const open = new Promise<void>((resolve) => (finish = resolve));
    authority.onDelivery = async () => {
      await open;
      return { kind: 'delivered' };
    };
    lane.startAll([authority.handler], { concurrency: 2 });
    await lane.enqueueAll(['a', 'b', 'c', 'd', 'e']);
    await lane.eventually(() => authority.ledger.length === 2);
    await sleep(100);
    const doubtful = (await lane.rows()).filter(({ inDoubtSince }) => inDoubtSince !== null);
    expect(doubtful.map(({ messageKey }) => messageKey)).toEqual(authority.ledger);
    finish();
    await lane.eventually(lane.allSent);
    expect(authority.ledger).toHaveLength(5);
  });

  it('waits without a failure while the target is at it', async () => {
    const authority = new Authority();
    authority.onDelivery = () => ({ kind: 'later', afterMs: 30, reason: 'in the queue' });
    authority.onQuestion = (key) =>
      authority.questions.length < 3
        ? { kind: 'later', afterMs: 30, reason: 'still in the queue' }
        : { kind: 'delivered', receipt: `protocol of ${key}` };
    lane.startAll([authority.handler]);
    await lane.enqueue('note');
    await lane.eventually(() => authority.settled.length > 0);
    expect(await firstRow()).toMatchObject({ lastError: 'in the queue', attemptCount: 1 });
    await lane.eventually(lane.allSent);
    expect(authority.ledger).toEqual(['note']);
    expect(await lane.targets()).not.toContainEqual(expect.objectContaining({ openCount: 1 }));
  });

  it('dies when the target will not have it', async () => {
    const authority = new Authority();
    authority.onDelivery = () => LOST;
    authority.onQuestion = () => ({ kind: 'refused', reason: 'rejected: 539' });
    lane.startAll([authority.handler]);
    await lane.enqueue('note');
    await lane.eventually(async () => (await firstRow())?.nextAttemptAt === null);
    expect(await firstRow()).toMatchObject({
      status: 'Error',
      lastError: 'rejected: 539',
      inDoubtSince: null,
    });
  });

  it('is shown to a human after so many questions, and asked about all the same', async () => {
    const authority = new Authority();
    authority.onDelivery = () => LOST;
    authority.onQuestion = () => ({
      kind: 'failed',
      blame: 'message',
      reason: 'no certificate',
      final: true,
    });
    lane.startAll([authority.handler]);
    await lane.enqueue('note');
    await lane.eventually(() => authority.questions.length >= 8);
    const told = authority.settled.filter(({ needsHuman }) => needsHuman);
    expect(told.slice(0, 3).map(({ message }) => message.asks)).toEqual([5, 6, 7]);
    authority.onQuestion = () => ({ kind: 'delivered' });
    await lane.eventually(lane.allSent);
    expect(authority.ledger).toEqual(['note']);
  });

  it('is asked about first when it is brought back from the dead in doubt', async () => {
    const authority = new Authority();
    authority.onDelivery = forEver;
    authority.onQuestion = forEver;
    for (let deaths = 0; deaths < 2; deaths += 1) {
      const dying = lane.startAll([authority.handler], { leaseMs: 200 }, { drainMs: 0 });
      if (deaths === 0) await lane.enqueue('note');
      await lane.eventually(() => authority.ledger.length + authority.questions.length > deaths);
      await Promise.all([dying.stop(), sleep(250)]);
    }
    const last = new Authority();
    last.onQuestion = () => ({ kind: 'delivered' });
    lane.startAll([last.handler], { leaseMs: 200, maxAbandonments: 2 });
    await lane.eventually(async () => (await firstRow())?.nextAttemptAt === null);
    expect(last.questions).toEqual([]);
    const row = await firstRow();
    expect(row).toMatchObject({ status: 'Error', lastError: expect.stringContaining('2 workers vanished') });
    expect(row?.inDoubtSince).toBeInstanceOf(Date);
    expect(await lane.operations.replay(askableLane, {}, operator, 1)).toBe(1);
    await lane.eventually(lane.allSent);
    expect(last.ledger).toEqual([]);
    expect(last.questions).toEqual(['note']);
  });
});

it('needs a handler that can ask, as no other lane does', () => {
  const { handler } = new Authority();
  const deaf: LaneHandler = { lane: askableLane, deliver: () => Promise.resolve(LOST) };
  expect(() => {
    checkHandler(handler);
  }).not.toThrow();
  expect(() => {
    checkHandler(deaf);
  }).toThrow('Lane askable is askable, and its handler cannot ask');
  expect(() => {
    checkHandler({ ...handler, lane: sampleLane });
  }).toThrow('the lane is not askable');
});
