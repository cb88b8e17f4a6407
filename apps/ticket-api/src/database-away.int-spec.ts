import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { startTestService, type TestService } from '@malote/service-kit/testing';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { service as definition } from './service.ts';
import { shipmentTicket } from './testing/shipment-ticket.ts';
import { signedHeaders } from './testing/ticket-api.ts';

let service: TestService;

beforeEach(async () => {
  service = await startTestService(definition);
});

afterEach(() => service.close());

const SCOPE = 'tickets:read tickets:write functional-acks:write';
const callback = JSON.stringify({
  businessEntity: 'TCK',
  businessDocId: '01-0107-0257-5200004',
  phaseCode: 15,
  status: 'Success',
});

async function callEverything(): Promise<Response[]> {
  const token = await service.token({ scope: SCOPE });
  const headers = { 'content-type': 'application/json', ...signedHeaders(callback) };
  return [
    await service.fetch('/api/tickets', { method: 'POST', token, json: shipmentTicket() }),
    await service.fetch('/api/tickets/callback', { method: 'POST', body: callback, headers }),
    await service.fetch('/api/functional-ack', { method: 'POST', token, json: { businessDocId: 'D1' } }),
    await service.fetch('/api/tickets', { token }),
    await service.fetch('/api/tickets/TCK/01-0107-0257-5200004', { token }),
  ];
}

it('asks callers to come back while the database is away, and serves them when it is back', async () => {
  expect((await callEverything()).map(({ status }) => status)).toEqual([200, 200, 202, 200, 200]);
  const file = join(service.folder, 'test.db');
  renameSync(file, `${file}.away`);

  for (const response of await callEverything()) {
    expect([response.url, response.status]).toEqual([response.url, 503]);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({ status: 503, code: 'database-unavailable' });
  }
  expect((await service.fetch('/health/live')).status).toBe(200);

  renameSync(`${file}.away`, file);
  const [ticket, ...others] = await callEverything();
  expect(await ticket?.json()).toMatchObject({ outcome: 'unchanged' });
  expect(others.map(({ status }) => status)).toEqual([200, 202, 200, 200]);
});
