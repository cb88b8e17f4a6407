import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { findPorts, portsAreFree, RunningCommand } from './testing/running-command.ts';

jest.setTimeout(120_000);

let folder: string;
let ports: readonly number[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'malote-start-'));
  ports = await findPorts(6);
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function start(...command: [string, ...string[]]): Promise<RunningCommand> {
  const running = new RunningCommand([...command, '--ports-from', String(ports[0])], {
    DATABASE_URL: `sqlite:${join(folder, 'malote.db')}`,
    DEV_KEY_PATH: join(folder, 'dev-key.pem'),
  });
  await running.hasWritten('All 6 services are ready', 70_000).catch((error: unknown) => {
    running.signal('SIGKILL');
    throw error;
  });
  return running;
}

it('brings up all six services on an empty database and leaves nothing behind', async () => {
  const suite = await start(process.execPath, 'tools/run.js', 'tools/start/src/main.ts');

  const answers = await Promise.all(ports.map((port) => fetch(`http://127.0.0.1:${port}/health/ready`)));
  suite.signal('SIGTERM');

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  expect(await suite.exitCode).toBe(0);
  await portsAreFree(ports);
});

it('stops when the npm that started it is ended', async () => {
  const suite = await start('npm', 'start', '--');

  suite.signal('SIGTERM');

  await portsAreFree(ports);
});
