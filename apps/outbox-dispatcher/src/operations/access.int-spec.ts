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
  ['POST', '/api/ops/lanes/sample/messages/1/release', 'ops:write'],
  ['POST', '/api/ops/lanes/sample/replay-preview', 'ops:read'],
  ['POST', '/api/ops/lanes/sample/replay', 'ops:write'],
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

it('has all its routes in the list above', async () => {
  const { paths } = await documentOf();
  const declared = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`));
  const listed = ROUTES.map(
    ([method, path]) =>
      `${method} ${path.replace('sample', '{lane}').replace('/1', '/{id}').replace('D1', '{businessDocId}')}`,
  );
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
  expect(document.components?.schemas?.ReplayDto).toMatchObject({
    required: ['reason'],
    additionalProperties: false,
    properties: {
      reason: { minLength: 5, maxLength: 500 },
      ids: { type: 'array', items: { type: 'string' } },
    },
  });
});
