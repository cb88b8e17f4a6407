import { expect, it } from '@jest/globals';
import { BoundedWork } from './bounded-work.ts';

function openWork() {
  const finish: (() => void)[] = [];
  return {
    finish,
    work: () =>
      new Promise<void>((resolve) => {
        finish.push(resolve);
      }),
  };
}

const settle = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

it('runs so many at a time, lets so many wait, and sends the others away', async () => {
  const line = new BoundedWork(2, 3);
  const { finish, work } = openWork();
  const accepted = [1, 2, 3, 4, 5].map(() => line.run(work));
  await expect(line.run(work)).rejects.toMatchObject({ kind: 'unavailable', code: 'login-busy' });
  expect(finish).toHaveLength(2);

  finish[0]?.();
  await settle();
  expect(finish).toHaveLength(3);
  accepted.push(line.run(work));
  await expect(line.run(work)).rejects.toMatchObject({ code: 'login-busy' });

  for (let done = 1; done < 6; done += 1) {
    finish[done]?.();
    await settle();
  }
  await Promise.all(accepted);
  expect(finish).toHaveLength(6);
});

it('gives the place of work that failed to the next', async () => {
  const line = new BoundedWork(1, 1);
  const failing = line.run(() => Promise.reject(new Error('no')));
  const waiting = line.run(() => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('no');
  expect(await waiting).toBe('done');
  expect(await line.run(() => Promise.resolve('free again'))).toBe('free again');
});
