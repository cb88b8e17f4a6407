import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { probeService } from '../testing/probe.service.ts';
import { startTestService, type TestService } from '../testing/start-test-service.ts';
import type { Problem } from './problem.ts';

const JSON_HEADERS = { 'content-type': 'application/json' };
const LIMIT = 1_048_576;

let service: TestService;

beforeAll(async () => {
  service = await startTestService(probeService);
});

afterAll(() => service.close());

/** Whatever the answer is, it must be a problem that names itself. */
async function problemOf(
  path: string,
  init: RequestInit = {},
): Promise<{ response: Response; problem: Problem }> {
  const response = await fetch(`${service.url}${path}`, init);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const problem = (await response.json()) as Problem;
  expect(problem).toMatchObject({
    type: `urn:malote:problem:${problem.code}`,
    title: expect.stringMatching(/^[A-Z]/),
    status: response.status,
    instance: path.split('?')[0],
    requestId: response.headers.get('x-request-id'),
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  return { response, problem };
}

function post(path: string, body: string, headers: Record<string, string> = JSON_HEADERS) {
  return problemOf(path, { method: 'POST', body, headers });
}

async function rawExchange(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString()));
  socket.write(bytes);
  await once(socket, 'close');
  return answer;
}

describe('requests that match no route', () => {
  it('answers 404 for an unknown path, before it reads the body', async () => {
    expect((await problemOf('/nothing?cpf=1')).problem.code).toBe('route-not-found');
    expect((await post('/nothing', '{broken')).response.status).toBe(404);
  });

  it('answers 404 when a path parameter is empty', async () => {
    expect((await problemOf('/probe/items/')).response.status).toBe(404);
  });

  it.each([
    ['DELETE', '/probe/echo', 'OPTIONS, POST'],
    ['PUT', '/probe/items/7', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/probe/private', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/health/live', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/health/l%69ve', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/probe/items/a%2Fb%20c', 'GET, HEAD, OPTIONS'],
  ])('answers 405 to %s %s and says what is allowed', async (method, path, allow) => {
    const { response, problem } = await problemOf(path, { method });

    expect([response.status, problem.code]).toEqual([405, 'method-not-allowed']);
    expect(response.headers.get('allow')).toBe(allow);
  });

  it('does not decode what comes after the path', async () => {
    const answer = await rawExchange(
      'DELETE /health/live#%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );

    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
  });

  it('answers OPTIONS with the methods and without CORS', async () => {
    const response = await fetch(`${service.url}/probe/echo`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example.com', 'access-control-request-method': 'POST' },
    });

    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toBe('OPTIONS, POST');
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('bodies that are refused', () => {
  const padded = (bytes: number) => `"${'a'.repeat(bytes - 2)}"`;

  it('takes exactly the limit and not a byte more', async () => {
    const atLimit = await service.fetch('/probe/echo', {
      method: 'POST',
      body: padded(LIMIT),
      headers: JSON_HEADERS,
    });
    expect(atLimit.status).toBe(200);

    const { response, problem } = await post('/probe/echo', padded(LIMIT + 1));
    expect([response.status, problem.code]).toEqual([413, 'body-too-large']);
  });

  it.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/json; charset=utf-16', 415],
    ['application/jsonp', 415],
  ])('answers %s with %i', async (type, status) => {
    const { response, problem } = await post('/probe/echo', '{}', { 'content-type': type });

    expect([response.status, problem.code]).toEqual([status, 'unsupported-media-type']);
  });

  it.each(['gzip', 'br', 'identity, gzip'])('answers a body in %s with 415', async (encoding) => {
    const headers = { ...JSON_HEADERS, 'content-encoding': encoding };
    const { response, problem } = await post('/probe/echo', '{}', headers);

    expect([response.status, problem.code]).toEqual([415, 'unsupported-content-encoding']);
    expect(response.headers.get('accept-encoding')).toBe('identity');
  });

  it('takes a body that says it is not encoded', async () => {
    const response = await service.fetch('/probe/echo', {
      method: 'POST',
      json: {},
      headers: { 'content-encoding': 'Identity' },
    });

    expect(response.status).toBe(200);
  });

  it('answers 415 when the content type is missing', async () => {
    const answer = await rawExchange(
      'POST /probe/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
    );

    expect(answer).toMatch(/^HTTP\/1\.1 415 /);
    expect(answer).toContain('application/problem+json');
  });

  it.each(['application/json; charset=UTF-8', 'application/vnd.malote+json', 'APPLICATION/JSON'])(
    'takes %s',
    async (type) => {
      const response = await service.fetch('/probe/echo', {
        method: 'POST',
        body: '{"é":"😀"}',
        headers: { 'content-type': type },
      });

      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ body: { é: '😀' }, rawBytes: 13 });
    },
  );

  it.each([
    ['', 'empty-body', undefined],
    ['{"a":', 'malformed-json', undefined],
    ['{"a":{"b":1,"b":2}}', 'duplicate-key', '/a/b'],
    ['{"__proto__":{}}', 'forbidden-key', '/__proto__'],
    ['{"a":"\\ud800"}', 'forbidden-character', '/a'],
    ['{"a":[9007199254740993]}', 'number-precision', '/a/0'],
    ['['.repeat(10_000) + ']'.repeat(10_000), 'json-too-deep', ''],
  ])('answers %.30j with 400 %s', async (body, code, pointer) => {
    const { response, problem } = await post('/probe/echo', body);

    expect([response.status, problem.code]).toEqual([400, code]);
    expect(problem.errors?.[0]?.pointer).toBe(pointer);
  });
});

describe('validation', () => {
  it('points at every broken field, through lists and objects', async () => {
    const order = { quantity: 0, addresses: [{ zipCode: '01310100' }, { zipCode: '1' }, {}] };
    const { response, problem } = await post('/probe/orders', JSON.stringify(order));

    expect([response.status, problem.code]).toEqual([400, 'validation-failed']);
    expect(problem.errors?.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/number is-string',
      '/quantity min',
      '/addresses/1/zipCode is-length',
      '/addresses/2/zipCode is-length',
      '/addresses/2/zipCode is-string',
    ]);
    expect(problem.errors?.[1]?.message).toBe('quantity must not be less than 1');
  });

  it('names list items that are no objects', async () => {
    const order = { number: 'A', quantity: 1, addresses: ['x', null] };
    const { problem } = await post('/probe/orders', JSON.stringify(order));

    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['/addresses/0', '/addresses/1']);
  });

  it.each(['[]', '"text"', '7', 'true'])('refuses %s where an object is expected', async (body) => {
    const { problem } = await post('/probe/orders', body);

    expect(problem.errors).toEqual([{ pointer: '', code: 'is-object', message: 'must be an object' }]);
  });

  it.each(['null', '{}'])('names all required fields of %s', async (body) => {
    const { problem } = await post('/probe/orders', body);

    expect(new Set(problem.errors?.map(({ pointer }) => pointer))).toEqual(
      new Set(['/number', '/quantity', '/addresses']),
    );
  });

  it('drops fields a DTO does not know, unless the DTO refuses them', async () => {
    const order = { number: 'A', quantity: 1, addresses: [{ zipCode: '01310100', extra: 1 }], more: true };
    const kept = await service.fetch('/probe/orders', { method: 'POST', json: order });
    expect(await kept.json()).toEqual({
      isDto: true,
      order: { number: 'A', quantity: 1, addresses: [{ zipCode: '01310100' }] },
    });

    const { problem } = await post('/probe/cancellations', '{"reason":"wrong price","reasno":""}');
    expect(problem.errors).toMatchObject([{ pointer: '/reasno', code: 'unknown-field' }]);
  });

  it('validates the query string too', async () => {
    const { problem } = await problemOf('/probe/items/7?limit=-1');

    expect(problem).toMatchObject({
      detail: 'The query string is not valid',
      errors: [{ pointer: '/limit', code: 'min' }],
    });
    const page = await service.fetch('/probe/items/7?limit=20');
    expect(await page.json()).toEqual({ id: '7', limit: 20 });
  });
});

describe('errors of the business and of ours', () => {
  it.each([
    ['invalid', 400],
    ['not-found', 404],
    ['conflict', 409],
    ['forbidden', 403],
    ['unavailable', 503],
  ])('answers %s with %i', async (kind, status) => {
    const { response, problem } = await problemOf(`/probe/fail/${kind}`);

    expect(response.status).toBe(status);
    expect(problem).toMatchObject({
      title: 'Probe failed',
      detail: 'The probe failed on purpose',
      code: 'probe-failed',
      details: { probe: 7 },
    });
    expect(response.headers.get('retry-after')).toBe(kind === 'unavailable' ? '5' : null);
  });

  it('says nothing about an unexpected error but where to look for it', async () => {
    const { response, problem } = await problemOf('/probe/fail/unexpected');

    expect([response.status, problem.code]).toEqual([500, 'internal-error']);
    expect(JSON.stringify(problem)).not.toContain('internals');
    const [logged] = service.logs
      .find('Request failed')
      .filter(({ requestId }) => requestId === problem.requestId);
    expect(logged).toMatchObject({
      level: 'error',
      err: { type: 'TypeError', message: 'secret internals of [cpf]' },
    });
  });
});

describe('errors that choose a status', () => {
  it('answers 500 to a library error that has one, and logs it', async () => {
    const { response, problem } = await problemOf('/probe/fail/imposter');

    expect([response.status, problem.code]).toEqual([500, 'internal-error']);
    expect(JSON.stringify(problem)).not.toContain('no such row');
    expect(service.logs.find('Request failed')).toContainEqual(
      expect.objectContaining({
        requestId: problem.requestId,
        err: expect.objectContaining({ code: 'ENOROW' }),
      }),
    );
  });

  it('does not take a caller that hangs up for an error of ours', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(
      'POST /probe/echo HTTP/1.1\r\nHost: x\r\nX-Request-Id: hangs-up-1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    await sleep(50);
    socket.destroy();
    await sleep(100);

    expect(service.logs.find('Request failed').map(({ requestId }) => requestId)).not.toContain('hangs-up-1');
  });
});

describe('addresses that the router refuses', () => {
  it.each([
    ['/probe/%zz?a=b', 400, 'bad-request'],
    ['/%zz', 400, 'bad-request'],
    [`/probe/items/${'x'.repeat(300)}`, 414, 'uri-too-long'],
  ])('answers address %# with all that every response has', async (path, status, code) => {
    const known = await fetch(`${service.url}/nothing`);
    const { response, problem } = await problemOf(path, { headers: { 'x-request-id': 'refused-by-router' } });

    expect([response.status, problem.code]).toEqual([status, code]);
    expect(response.headers.get('x-request-id')).toBe('refused-by-router');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect([...response.headers.keys()]).toEqual([...known.headers.keys()]);
    expect(service.logs.find('request')).toContainEqual(
      expect.objectContaining({ requestId: 'refused-by-router', route: 'unmatched', status }),
    );
  });
});

describe('requests that are hardly HTTP', () => {
  it.each([
    ['GET /probe/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    [`GET /probe/items/${'x'.repeat(300)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 414],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['HELLO\r\n\r\n', 400],
    ['POST /probe/echo HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400],
  ])('answers %.40j with %i', async (bytes, status) => {
    const answer = await rawExchange(bytes);

    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/content-type: application\/problem\+json/i);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ status });
  });
});
