import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Watchdog } from './watchdog.ts';

const watchdog = new Watchdog(40);

it('passes on what work ends with', async () => {
  await expect(watchdog.watch(Promise.resolve(7))).resolves.toBe(7);
  await expect(watchdog.watch(Promise.reject(new Error('no')))).rejects.toThrow('no');
});

it('rejects work that does not end in time, and only that', async () => {
  const stuck = watchdog.watch(new Promise(() => undefined));
  await expect(stuck).rejects.toThrow('took longer than 40 ms');
  watchdog.rest();

  await expect(watchdog.watch(sleep(20, 'quick'))).resolves.toBe('quick');
});

it('is not confused by work that ends after it was given up', async () => {
  const late = watchdog.watch(sleep(120));
  await expect(late).rejects.toThrow('took longer');
  watchdog.rest();
  const stuck = watchdog.watch(new Promise(() => undefined));
  await expect(stuck).rejects.toThrow('took longer');
});

it('leaves alone what has ended', async () => {
  const done = watchdog.watch(Promise.resolve('done'));
  await done;
  watchdog.rest();
  await sleep(80);
  await expect(done).resolves.toBe('done');
});
