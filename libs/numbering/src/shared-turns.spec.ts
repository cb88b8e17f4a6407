import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { type Served, SharedTurns } from './shared-turns.ts';

function desk(mostPerTurn = 10) {
  const turns: (readonly number[])[] = [];
  const shared = new SharedTurns<number, string>(async (_key, jobs) => {
    turns.push(jobs);
    await sleep(5);
    if (jobs.includes(666)) throw new Error('the whole turn failed');
    return jobs.map((job): Served<string> =>
      job < 0 ? { error: new Error(`no ${job}`) } : { result: `done ${job}` },
    );
  }, mostPerTurn);
  return { turns, join: (job: number, key = 'a') => shared.join(key, job) };
}

it('serves who waits together, in the order they came', async () => {
  const { turns, join } = desk(3);
  const answers = await Promise.all([1, 2, 3, 4, 5].map((job) => join(job)));
  expect(answers).toEqual(['done 1', 'done 2', 'done 3', 'done 4', 'done 5']);
  expect(turns).toEqual([[1], [2, 3, 4], [5]]);
});

it('begins at once when nobody waits, again and again', async () => {
  const { turns, join } = desk();
  for (const job of [1, 2, 3]) await join(job);
  expect(turns).toEqual([[1], [2], [3]]);
});

it('serves keys side by side', async () => {
  const { turns, join } = desk();
  await Promise.all([join(1, 'a'), join(2, 'b'), join(3, 'a')]);
  expect(turns).toEqual([[1], [2], [3]]);
});

it('tells each its own refusal', async () => {
  const { join } = desk();
  const [, refused, served] = await Promise.allSettled([join(1), join(-2), join(3)]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { message: 'no -2' } });
  expect(served).toMatchObject({ status: 'fulfilled', value: 'done 3' });
});

it('turns those away who would wait for too long', async () => {
  const { join } = desk(100);
  const outcomes = await Promise.allSettled(Array.from({ length: 1_005 }, (_, n) => join(n === 666 ? 0 : n)));
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(4);
  expect(refused[0]).toMatchObject({ reason: { kind: 'unavailable', code: 'too-many-waiting' } });
});

it('goes on after a turn that failed as a whole', async () => {
  const { join } = desk(2);
  const outcomes = await Promise.allSettled([join(1), join(666), join(3), join(4)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
});
