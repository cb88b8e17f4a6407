import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { type ServiceProcess, startServiceProcess } from '../testing/service-process.ts';

const PROBE = 'libs/service-kit/src/testing/probe.main.ts';

let service: ServiceProcess | undefined;

afterEach(() => service?.dispose());

async function startProbe(env?: Record<string, string>) {
  service = startServiceProcess(PROBE, env);
  const url = await service.listening;
  const ask = (path: string) => fetch(`${url}/probe/${path}`).catch(() => undefined);
  return { service, ask };
}

it.each([
  ['thrown', 'Uncaught error', { type: 'TypeError', message: 'broken while nobody looked' }],
  ['rejected', 'Unhandled rejection', { type: 'RangeError', message: 'rejected while nobody looked' }],
])('says what was %s outside of any promise in one line, and exits with 70', async (kind, msg, err) => {
  const { service, ask } = await startProbe();
  void ask(`fault/${kind}`);

  expect(await service.exited).toBe(70);
  const fatal = service.lines.filter(({ level }) => level === 'fatal');
  expect(fatal).toEqual([expect.objectContaining({ msg, err: expect.objectContaining(err) })]);
  expect(service.lines.at(-1)).toBe(fatal[0]);
  expect(service.stderr()).toBe('');
});

it('exits the same for a rejection without a reason', async () => {
  const { service, ask } = await startProbe();
  void ask('fault/nothing');

  expect(await service.exited).toBe(70);
  expect(service.lines.at(-1)).toMatchObject({ level: 'fatal', msg: 'Unhandled rejection' });
  expect(service.stderr()).toBe('');
});

it('tells the first of several faults, and the others change nothing', async () => {
  const { service, ask } = await startProbe();
  void ask('fault/thrown,rejected,thrown,late');

  expect(await service.exited).toBe(70);
  const fatal = service.lines.filter(({ level }) => level === 'fatal');
  expect(fatal).toMatchObject([{ msg: 'Uncaught error', err: { message: 'broken while nobody looked' } }]);
  expect(service.stderr()).toBe('');
});

it('does not take a fault while it stops for a stop in order', async () => {
  const { service, ask } = await startProbe({ SHUTDOWN_DELAY_MS: '300' });
  service.child.kill('SIGTERM');
  await sleep(50);
  void ask('fault/thrown');

  expect(await service.exited).toBe(70);
  expect(service.lines.at(-1)).toMatchObject({ level: 'fatal', msg: 'Uncaught error' });
});

it('ends soon when nobody reads what it says', async () => {
  const { service, ask } = await startProbe();
  service.child.stdout?.destroy();
  await ask('private');
  const brokenAt = performance.now();
  void ask('fault/thrown,late');

  expect(await service.exited).toBe(70);
  expect(performance.now() - brokenAt).toBeLessThan(3_000);
});
