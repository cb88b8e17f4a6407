import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { probeService } from '../testing/probe.service.ts';
import { startTestService, type TestService } from '../testing/start-test-service.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

let service: TestService;

beforeAll(async () => {
  service = await startTestService(probeService);
});

afterAll(() => service.close());

async function echo(headers: Record<string, string>) {
  const response = await service.fetch('/probe/echo', { method: 'POST', json: {}, headers });
  return { response, body: (await response.json()) as { traceParent: string } };
}

it('answers HEAD like GET, without the body', async () => {
  const [get, head] = await Promise.all([
    service.fetch('/probe/items/7'),
    service.fetch('/probe/items/7', { method: 'HEAD' }),
  ]);

  expect([head.status, await head.text()]).toEqual([get.status, '']);
  for (const name of ['content-type', 'content-length', 'cache-control', 'content-security-policy']) {
    expect(head.headers.get(name)).toBe(get.headers.get(name));
  }
});

it('asks for a token on HEAD as it does on GET', async () => {
  expect((await service.fetch('/probe/private', { method: 'HEAD' })).status).toBe(401);
});

it('keeps a sane request id and replaces any other', async () => {
  const kept = await echo({ 'x-request-id': 'order-4711.retry:2' });
  const replaced = await echo({ 'x-request-id': 'a b<script>' });

  expect(kept.response.headers.get('x-request-id')).toBe('order-4711.retry:2');
  expect(replaced.response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

it('continues the trace of its caller with a span of its own', async () => {
  const { body } = await echo({ traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-00` });

  expect(body.traceParent).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-00$`));
  expect(body.traceParent).not.toContain('00f067aa0ba902b7');
});

it.each(['', 'garbage', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `ff-${TRACE_ID}-00f067aa0ba902b7-01`])(
  'begins a trace when it is given %j',
  async (traceparent) => {
    const { body } = await echo({ traceparent });

    expect(body.traceParent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(body.traceParent).not.toContain(TRACE_ID);
  },
);

it('keeps the traces of concurrent requests apart', async () => {
  const ids = Array.from({ length: 40 }, (_, i) => (i + 1).toString(16).padStart(32, 'a'));
  const answers = await Promise.all(ids.map((id) => echo({ traceparent: `00-${id}-00f067aa0ba902b7-01` })));

  expect(answers.map(({ body }) => body.traceParent.slice(3, 35))).toEqual(ids);
});

it('writes one line per request, by route and not by path', async () => {
  const token = await service.token({ scope: 'probe:read', subject: 'partner-b' });
  await service.fetch('/probe/items/52998224725?limit=1');
  const private_ = await service.fetch('/probe/private', { token });
  await service.fetch('/health/live');

  const lines = service.logs.find('request');
  const id = private_.headers.get('x-request-id');
  expect(lines.filter(({ requestId }) => requestId === id)).toEqual([
    expect.objectContaining({
      level: 'info',
      service: 'probe',
      method: 'GET',
      route: '/probe/private',
      status: 200,
      ms: expect.any(Number),
      subject: 'partner-b',
      traceId: expect.any(String),
    }),
  ]);
  expect(lines).toContainEqual(expect.objectContaining({ route: '/probe/items/:id', status: 200 }));
  expect(lines).toContainEqual(expect.objectContaining({ route: '/health/live', level: 'debug' }));
  expect(service.logs.text).not.toContain('52998224725');
});

it('redacts what a route logs', async () => {
  await service.fetch('/probe/fail/logged');

  expect(service.logs.find('logged')).toMatchObject([{ authorization: '[redacted]', note: 'CPF [cpf]' }]);
});
