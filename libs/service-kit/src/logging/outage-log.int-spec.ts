import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { LogLine } from '../testing/log-lines.ts';
import { probeService } from '../testing/probe.service.ts';
import { startTestService, type TestService } from '../testing/start-test-service.ts';

let service: TestService;

beforeEach(async () => {
  service = await startTestService(probeService);
});

afterEach(() => service.close());

const ask = async (path: string) => (await service.fetch(path)).status;

/** All that is said besides one line for each request. */
function said(): LogLine[] {
  return service.logs.lines
    .map((line) => JSON.parse(line) as LogLine)
    .filter(({ level, msg }) => msg !== 'request' && level !== 'debug');
}

it('is one line when the database goes away and one when it is back, however many ask meanwhile', async () => {
  expect(await ask('/probe/rows')).toBe(200);
  const file = join(service.folder, 'test.db');
  const before = said().length;
  renameSync(file, `${file}.away`);

  const asked = await Promise.all(Array.from({ length: 20 }, () => ask('/probe/rows')));
  expect(new Set(asked)).toEqual(new Set([503]));
  expect(await ask('/health/ready')).toBe(503);
  renameSync(`${file}.away`, file);
  await sleep(1_050);
  expect(await ask('/probe/rows')).toBe(200);
  expect(await ask('/health/ready')).toBe(200);

  expect(said().slice(before)).toMatchObject([
    {
      level: 'error',
      msg: 'The database is away',
      err: { code: 'database-unavailable', message: 'The database file is missing' },
    },
    { level: 'info', msg: 'The database is back', seconds: 0 },
  ]);
});
