import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { type ServiceProcess, startServiceProcess } from '../testing/service-process.ts';

const PROBE = 'libs/service-kit/src/testing/probe.main.ts';

let service: ServiceProcess | undefined;
const keepAlive = new Agent({ keepAlive: true });

afterEach(async () => {
  await service?.dispose();
  keepAlive.destroy();
});

function request(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent: keepAlive }, (response) => {
      response.resume().on('end', () => {
        resolve(response);
      });
    }).on('error', reject);
  });
}

it('turns red, finishes what is in flight, closes in order and exits with 0', async () => {
  service = startServiceProcess(PROBE, { SHUTDOWN_DELAY_MS: '300' });
  const url = await service.listening;
  await request(`${url}/health/live`);
  const slow = request(`${url}/probe/slow`);
  await sleep(100);

  service.child.kill('SIGTERM');
  await sleep(100);
  const readiness = await request(`${url}/health/ready`);
  expect(readiness.statusCode).toBe(503);
  expect(readiness.headers.connection).toBe('close');

  const answered = await slow;
  expect(answered.statusCode).toBe(200);
  expect(answered.headers.connection).toBe('close');
  expect(await service.exited).toBe(0);
  const steps = service.lines.map(({ msg, route }) => (msg === 'request' ? String(route) : msg));
  expect(steps).toEqual([
    'listening',
    'stopping',
    'worker stops claiming',
    'worker drained',
    '/probe/slow',
    'server closed',
    'stopped',
  ]);
  await expect(request(`${url}/health/live`)).rejects.toThrow('ECONNREFUSED');
});

it('cuts off what takes too long and says so with exit code 1', async () => {
  service = startServiceProcess(PROBE, { SHUTDOWN_TIMEOUT_MS: '200' });
  const url = await service.listening;
  const slow = request(`${url}/probe/slow`).catch(() => 'cut off');
  await sleep(100);
  service.child.kill('SIGTERM');

  expect(await service.exited).toBe(1);
  expect(await slow).toBe('cut off');
  expect(service.lines.at(-1)?.msg).toBe('Stopped before everything was finished');
});

it('finishes in the database what a caller asked for who has hung up since', async () => {
  service = startServiceProcess(PROBE);
  const url = await service.listening;
  await request(`${url}/health/ready`);
  const asked = get(`${url}/probe/slow-rows`).on('error', () => undefined);
  await sleep(100);
  asked.destroy();
  await sleep(50);
  service.child.kill('SIGTERM');

  expect(await service.exited).toBe(0);
  const messages = service.lines.map(({ msg }) => msg);
  expect(messages).toContain('rows read');
  expect(messages).not.toContain('Request failed');
});

it('does not wait for connections that never said anything', async () => {
  service = startServiceProcess(PROBE);
  const url = new URL(await service.listening);
  const silent = connect(Number(url.port), url.hostname);
  const closed = once(silent, 'close');
  await once(silent, 'connect');
  await request(`${url.origin}/health/live`);

  const askedAt = performance.now();
  service.child.kill('SIGTERM');
  expect(await service.exited).toBe(0);
  await closed;
  expect(performance.now() - askedAt).toBeLessThan(5_000);
});

it('exits at once on a second signal', async () => {
  service = startServiceProcess(PROBE, { SHUTDOWN_DELAY_MS: '10s' });
  await service.listening;
  service.child.kill('SIGINT');
  await sleep(150);
  service.child.kill('SIGINT');

  expect(await service.exited).toBe(1);
});

it('refuses to start with a list of what is wrong, and nothing else', async () => {
  service = startServiceProcess(PROBE, { NODE_ENV: 'production', LOG_LEVEL: 'loud' });

  expect(await service.exited).toBe(78);
  expect(service.lines).toEqual([]);
  expect(service.stderr()).toMatch(/^probe: The configuration is not usable:\n( {2}- .+\n)+$/);
  expect(service.stderr()).toContain('  - LOG_LEVEL must be one of');
  expect(service.stderr()).toContain('  - DATABASE_URL must be set in production');
});

it('says why it cannot listen', async () => {
  service = startServiceProcess(PROBE);
  const { port } = new URL(await service.listening);
  const second = startServiceProcess(PROBE, { PORT: port });

  expect(await second.exited).toBe(1);
  expect(second.lines.at(-1)).toMatchObject({ level: 'fatal', err: { code: 'EADDRINUSE' } });
  await second.dispose();
});
