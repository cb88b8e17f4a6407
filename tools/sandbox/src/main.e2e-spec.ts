import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');

let child: ChildProcess | undefined;

afterEach(() => {
  child?.kill('SIGKILL');
});

function start(env: Record<string, string>) {
  const started = spawn(process.execPath, ['tools/run.js', 'tools/sandbox/src/main.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  return started;
}

async function firstLine(of: ReturnType<typeof start>): Promise<Readonly<Record<string, unknown>>> {
  const [line] = (await once(createInterface({ input: of.stdout }), 'line')) as [string];
  return JSON.parse(line) as Record<string, unknown>;
}

describe('the sandbox process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('says where it listens, and ends on %s', async (signal) => {
    const sandbox = start({ PORT: '0' });
    const line = await firstLine(sandbox);

    expect(line).toMatchObject({ level: 'info', service: 'sandbox', msg: 'listening' });
    const url = String(line.url);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    const page = await (await fetch(url)).text();
    for (const address of ['/gateway/tickets', '/gateway/ticket-return', '/gateway/functional-ack/v3']) {
      expect(page).toContain(`POST   ${address}`);
    }
    for (const address of ['/faults/gateway', '/ledger/summary']) expect(page).toContain(address);

    sandbox.kill(signal);
    expect(await once(sandbox, 'exit')).toEqual([0, null]);
  });

  it.each([
    [{ NODE_ENV: 'production' }, 'NODE_ENV must be development or test'],
    [{ OUTBOX_SIGNING_SECRETS: 'short' }, 'OUTBOX_SIGNING_SECRETS'],
    [{ CALLBACK_URL: 'ticket-api' }, 'CALLBACK_URL'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  ])('does not start with %j', async (env, named) => {
    const sandbox = start({ PORT: '0', ...env });
    const [said] = await Promise.all([text(sandbox.stderr), once(sandbox, 'exit')]);

    expect(sandbox.exitCode).toBe(78);
    expect(said).toContain(named);
  });

  it('says so when its port is taken', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const sandbox = start({ PORT: String((squatter.address() as AddressInfo).port) });
    const [line] = await Promise.all([firstLine(sandbox), once(sandbox, 'exit')]);
    squatter.close();

    expect(sandbox.exitCode).toBe(1);
    expect(line).toMatchObject({ level: 'fatal', err: { code: 'EADDRINUSE' } });
  });
});
