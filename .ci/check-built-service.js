import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** `check-built-service.js <folder>` starts main.js there on a free port and waits for /health/live. */
const folder = process.argv[2];
const limitMs = 30_000;

async function freePort() {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

const port = await freePort();
const service = spawn(process.execPath, ['main.js'], {
  cwd: folder,
  env: { ...process.env, PORT: String(port), DATABASE_URL: `sqlite:${join(folder, 'service.db')}` },
  stdio: 'inherit',
});
const exited = once(service, 'exit');

async function answers() {
  const deadline = performance.now() + limitMs;
  while (service.exitCode === null && performance.now() < deadline) {
    const response = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => undefined);
    if (response?.ok) return true;
    await sleep(200);
  }
  return false;
}

const alive = await answers();
service.kill('SIGTERM');
const stopped = await Promise.race([exited.then(() => true), sleep(limitMs, false, { ref: false })]);
if (!stopped) service.kill('SIGKILL');
console.log(
  alive && stopped ? 'The built service answers and stops.' : `alive: ${alive}, stopped: ${stopped}`,
);
process.exitCode = alive && stopped ? 0 : 1;
