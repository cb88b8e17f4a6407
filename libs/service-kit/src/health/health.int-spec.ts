import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Draining } from '../lifecycle/draining.ts';
import { probeService } from '../testing/probe.service.ts';
import { startTestService, type TestService } from '../testing/start-test-service.ts';
import { Readiness } from './readiness.ts';

let service: TestService;

beforeEach(async () => {
  service = await startTestService(probeService);
});

afterEach(() => service.close());

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
  const readiness = new Readiness(new Draining());
  readiness.add('hanging', () => {
    looks++;
    return new Promise(() => undefined);
  });

  const reports = await Promise.all(Array.from({ length: 20 }, () => readiness.report()));

  expect(looks).toBe(1);
  expect(reports[19]?.checks.hanging).toEqual({ status: 'failed', code: 'timeout' });
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
