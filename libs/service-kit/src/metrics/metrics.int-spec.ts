import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { Counter } from 'prom-client';
import { probeService } from '../testing/probe.service.ts';
import { startTestService, type TestService } from '../testing/start-test-service.ts';
import { MetricsServer } from './metrics.server.ts';
import { Metrics } from './metrics.ts';

let service: TestService;

afterEach(() => service.close());

it('counts requests by route template and carries what others register', async () => {
  service = await startTestService(probeService);
  const sent = new Counter({
    name: 'probe_sent_total',
    help: 'Sent',
    registers: [service.app.get(Metrics).registry],
  });
  sent.inc(3);
  for (const path of ['/probe/items/1', '/probe/items/2', '/nothing/secret', '/probe/%zz'])
    await service.fetch(path);

  const response = await service.fetch('/metrics');
  const text = await response.text();

  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(text).toContain(
    'http_request_duration_seconds_count{method="GET",route="/probe/items/:id",status="200"} 2',
  );
  expect(text).toContain(
    'http_request_duration_seconds_count{method="GET",route="unmatched",status="404"} 1',
  );
  expect(text).toContain(
    'http_request_duration_seconds_count{method="GET",route="unmatched",status="400"} 1',
  );
  expect(text).toContain('process_resident_memory_bytes');
  expect(text).toContain('probe_sent_total 3');
  expect(text).not.toContain('secret');
});

it('moves to a port of its own when it is given one', async () => {
  service = await startTestService(probeService, { env: { METRICS_PORT: '0' } });
  const { port } = service.app.get(MetricsServer).server.address() as AddressInfo;

  expect((await service.fetch('/metrics')).status).toBe(404);
  expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain(
    'http_request_duration_seconds',
  );
  expect((await fetch(`http://127.0.0.1:${port}/metrics?a=b`)).status).toBe(200);
  const head = await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100);
  expect((await fetch(`http://127.0.0.1:${port}/other`)).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(404);
});
