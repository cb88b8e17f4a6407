import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { badTokens, emptySchemas } from '@malote/service-kit/testing';
import { type OpenAPIObject } from '@nestjs/swagger';
import { Validator } from '@seriousme/openapi-schema-validator';
import { OperationsClient } from './testing/operations-client.ts';

const ROUTES = [
  ['GET', '/api/ops/lanes', 'ops:read'],
  ['GET', '/api/ops/lanes/sample/messages', 'ops:read'],
  ['GET', '/api/ops/lanes/sample/messages/1', 'ops:read'],
  ['POST', '/api/ops/lanes/sample/messages/1/replay', 'ops:write'],
  ['POST', '/api/ops/lanes/sample/messages/1/discard', 'ops:write'],
  ['POST', '/api/ops/lanes/sample/dead-preview', 'ops:read'],
  ['POST', '/api/ops/lanes/sample/replay', 'ops:write'],
  ['POST', '/api/ops/lanes/sample/discard', 'ops:write'],
  ['POST', '/api/ops/lanes/sample/pause', 'ops:write'],
  ['POST', '/api/ops/lanes/sample/resume', 'ops:write'],
  ['GET', '/api/ops/targets', 'ops:read'],
  ['POST', '/api/ops/targets/pause', 'ops:write'],
  ['POST', '/api/ops/targets/resume', 'ops:write'],
  ['GET', '/api/ops/actions', 'ops:read'],
  ['GET', '/api/trace/D1', 'ops:read'],
] as const;

let client: OperationsClient;

beforeAll(async () => {
  client = await OperationsClient.start();
});

afterAll(() => client.close());

const documentedPath = (path: string) =>
  path.replace('sample', '{lane}').replace('/1', '/{id}').replace('D1', '{businessDocId}');
const documentOf = async () => (await (await client.service.fetch('/openapi.json')).json()) as OpenAPIObject;

it.each(ROUTES)('%s %s needs a token that counts, with %s', async (method, path, scope) => {
  for (const { name, headers, status } of await badTokens(client.service, scope)) {
    const response = await client.service.fetch(path, { method, headers });
    expect([name, response.status]).toEqual([name, status]);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  }
  const token = await client.service.token({ scope });
  const json = method === 'POST' ? { json: {} } : {};
  expect([200, 400, 404]).toContain((await client.service.fetch(path, { method, token, ...json })).status);
});

it.each(ROUTES.flatMap(([method, path, scope]) => (scope === 'ops:write' ? [[method, path]] : [])))(
  '%s %s is not for those who may only read',
  async (method = '', path = '') => {
    const token = await client.service.token({ scope: 'ops:read' });
    expect((await client.service.fetch(path, { method, token, json: {} })).status).toBe(403);
  },
);

it('documents of every route the scope it needs, and how it fails', async () => {
  const { paths } = await documentOf();
  for (const [method, path, scope] of ROUTES) {
    const { get, post } = paths[documentedPath(path)] ?? {};
    const { security, responses } = (method === 'GET' ? get : post) ?? {};
    expect([path, security]).toEqual([path, [{ bearer: [scope] }]]);
    const problems = Object.entries(responses ?? {}).filter(([status]) => status !== '200');
    const missing = problems.filter(([, response]) => !JSON.stringify(response).includes('problem+json'));
    expect([path, missing]).toEqual([path, []]);
    if (path.includes('sample'))
      expect([path, Object.keys(responses ?? {})]).toEqual([path, expect.arrayContaining(['404'])]);
  }
});

it('promises no more of a message than every lane has', async () => {
  const { components } = await documentOf();
  const detail = components?.schemas?.MessageDetailView;
  const { required = [], properties = {} } = detail && !('$ref' in detail) ? detail : {};
  for (const name of ['businessEntity', 'businessDocId', 'phaseCode']) expect(required).not.toContain(name);
  for (const name of ['inDoubtSince', 'askCount']) expect(required).not.toContain(name);
  expect(required).toEqual(expect.arrayContaining(['id', 'discardedAt']));
  expect(properties.payload).not.toHaveProperty('type');
});

it('has all its routes in the list above', async () => {
  const { paths } = await documentOf();
  const declared = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`));
  const listed = ROUTES.map(([method, path]) => `${method} ${documentedPath(path)}`);
  expect(declared.sort()).toEqual([...listed].sort());
});

it('describes every route, what it takes and what it answers', async () => {
  const document = await documentOf();
  expect(await new Validator().validate({ ...document })).toMatchObject({ valid: true });
  expect(emptySchemas(document)).toEqual([]);
  for (const [path, { get, post }] of Object.entries(document.paths)) {
    const operation = get ?? post;
    if (!path.startsWith('/api/')) continue;
    expect([path, operation?.summary]).toEqual([path, expect.any(String)]);
    expect([path, operation?.responses['200']]).toEqual([
      path,
      expect.objectContaining({ content: expect.anything() }),
    ]);
  }
  expect(document.components?.schemas?.DeadChangeDto).toMatchObject({
    required: ['reason'],
    additionalProperties: false,
    properties: {
      reason: { minLength: 5, maxLength: 500 },
      ids: { type: 'array', items: { type: 'string' } },
    },
  });
});
