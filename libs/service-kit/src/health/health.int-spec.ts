import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { AppError } from '@malote/app-error';
import { Draining } from '../lifecycle/draining.ts';
import { Log } from '../logging/log.ts';
import { LogLines } from '../testing/log-lines.ts';
import { probeService } from '../testing/probe.service.ts';
import { startTestService, type TestService } from '../testing/start-test-service.ts';
import { Readiness } from './readiness.ts';

let service: TestService;

beforeEach(async () => {
  service = await startTestService(probeService);
});

afterEach(() => service.close());

function newReadiness(): { readiness: Readiness; lines: LogLines } {
  const lines = new LogLines();
  const log = new Log('probe', { logLevel: 'info' }, lines);
  return { readiness: new Readiness(new Draining(), log), lines };
}

async function ready(): Promise<{ status: number; body: unknown }> {
  const response = await service.fetch('/health/ready');
  return { status: response.status, body: await response.json() };
}

it('names every check', async () => {
  expect(await ready()).toEqual({
    status: 200,
    body: {
      status: 'ready',
      checks: { database: { status: 'ok' }, schema: { status: 'ok' }, shutdown: { status: 'ok' } },
    },
  });
  expect((await service.fetch('/health/live')).status).toBe(200);
  expect((await service.fetch('/health/startup')).status).toBe(200);
});

it('turns red while the database is away, stays alive, and recovers by itself', async () => {
  const file = join(service.folder, 'test.db');
  expect((await service.fetch('/probe/rows')).status).toBe(200);
  renameSync(file, `${file}.away`);

  const failed = await service.fetch('/probe/rows');
  expect(failed.status).toBe(503);
  expect(failed.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await failed.json()).toMatchObject({ code: 'database-unavailable' });
  expect(await ready()).toMatchObject({
    status: 503,
    body: {
      status: 'not-ready',
      checks: { database: { status: 'failed', code: 'database-unavailable' }, shutdown: { status: 'ok' } },
    },
  });
  expect((await service.fetch('/health/live')).status).toBe(200);

  renameSync(`${file}.away`, file);
  await sleep(1100);
  expect((await service.fetch('/probe/rows')).status).toBe(200);
  expect((await ready()).status).toBe(200);
});

it('looks once for all probes of a second, and does not wait for a check that hangs', async () => {
  let looks = 0;
  const { readiness, lines } = newReadiness();
  readiness.add('hanging', () => {
    looks++;
    return new Promise(() => undefined);
  });

  const reports = await Promise.all(Array.from({ length: 20 }, () => readiness.report()));

  expect(looks).toBe(1);
  expect(reports[19]?.checks.hanging).toEqual({ status: 'failed', code: 'timeout' });
  expect(lines.find('Readiness check fails')).toMatchObject([
    { level: 'warn', check: 'hanging', err: { message: 'No answer within 2000 ms' } },
  ]);
});

it('logs each change of a check once, with its reason', async () => {
  const { readiness, lines } = newReadiness();
  let failure: Error | undefined;
  readiness.add('fine', () => Promise.resolve());
  readiness.add('moody', () => (failure ? Promise.reject(failure) : Promise.resolve()));
  const look = async () => {
    await sleep(1050);
    return (await readiness.report()).checks.moody;
  };

  expect(await look()).toEqual({ status: 'ok' });
  expect(lines.lines).toEqual([]);

  failure = new TypeError('socket of 52998224725 closed');
  expect(await look()).toEqual({ status: 'failed', code: 'error' });
  failure = new AppError('unavailable', 'still-away', 'Still away');
  expect(await look()).toEqual({ status: 'failed', code: 'still-away' });
  failure = undefined;
  expect(await look()).toEqual({ status: 'ok' });
  expect(await look()).toEqual({ status: 'ok' });

  expect(lines.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({
      level: 'warn',
      msg: 'Readiness check fails',
      check: 'moody',
      code: 'error',
      err: expect.objectContaining({ type: 'TypeError', message: 'socket of [cpf] closed' }),
    }),
    expect.objectContaining({ level: 'info', msg: 'Readiness check passes again', check: 'moody' }),
  ]);
});

it('is not ready once it drains, whatever was found a moment ago', async () => {
  expect((await ready()).status).toBe(200);
  service.app.get(Draining).start();

  const response = await service.fetch('/health/ready');

  expect(response.status).toBe(503);
  expect(response.headers.get('connection')).toBe('close');
  expect(await response.json()).toMatchObject({
    checks: { shutdown: { status: 'failed', code: 'draining' } },
  });
});
