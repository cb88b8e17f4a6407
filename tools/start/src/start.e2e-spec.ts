import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { findPorts, portsAreFree, RunningCommand } from './testing/running-command.ts';

jest.setTimeout(120_000);

const command = [process.execPath, 'tools/run.js', 'tools/start/src/main.ts'] as const;

let folder: string;
let ports: readonly number[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'malote-start-'));
  ports = await findPorts(13);
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function start(
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv = { DATABASE_URL: `sqlite:${join(folder, 'malote.db')}` },
): Promise<RunningCommand> {
  const running = new RunningCommand([...command, '--ports-from', String(ports[0])], {
    DEV_KEY_PATH: join(folder, 'dev-key.pem'),
    ...env,
  });
  await running.hasWritten('All 6 services are ready', 70_000).catch((error: unknown) => {
    running.signal('SIGKILL');
    throw error;
  });
  return running;
}

async function statuses(of: readonly number[], path: string): Promise<readonly number[]> {
  const answers = await Promise.all(of.map((port) => fetch(`http://127.0.0.1:${port}/${path}`)));
  return answers.map(({ status }) => status);
}

it('brings up all six services and the sandbox on an empty database and leaves nothing behind', async () => {
  const suite = await start(command);

  const answers = await statuses(ports.slice(0, 7), 'health/ready');
  await suite.hasWritten('Clerks take numbers at');
  suite.signal('SIGTERM');

  expect(answers).toEqual([200, 200, 200, 200, 200, 200, 200]);
  expect(suite.output).toContain(`The outside world, as the sandbox plays it:  http://localhost:${ports[6]}`);
  expect(suite.output).toMatch(
    new RegExp(`localhost:${ports[4]}: {2}log in as admin@malote.example with (\\w{5}-){3}\\w{5} `),
  );
  expect(await suite.exitCode).toBe(0);
  await portsAreFree(ports);
});

it('takes the database from a file, and gives each service a metrics port of its own; the sandbox can be left out', async () => {
  const file = join(folder, 'database_url');
  await writeFile(file, `sqlite:${join(folder, 'malote.db')}\n`);
  const suite = await start([...command, '--no-sandbox'], {
    DATABASE_URL_FILE: file,
    METRICS_PORT: String(ports[7]),
  });

  const answers = await statuses(ports.slice(7), 'metrics');
  await portsAreFree(ports.slice(6, 7));
  suite.signal('SIGTERM');

  expect(answers).toEqual([200, 200, 200, 200, 200, 200]);
  expect(suite.output).toContain(`Database: the one ${file} names`);
  expect(await suite.exitCode).toBe(0);
});

it.each(['SIGTERM', 'SIGKILL'] as const)('stops when %s ends the npm that started it', async (signal) => {
  const suite = await start(['npm', 'start', '--']);

  suite.signal(signal);

  await portsAreFree(ports);
});
