import { badTokens, emptySchemas, startTestService, type TestService } from '@malote/service-kit/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Validator } from '@seriousme/openapi-schema-validator';
import { service as definition } from './service.ts';

let service: TestService;
let document: OpenAPIObject;

beforeAll(async () => {
  service = await startTestService(definition);
  document = (await (await service.fetch('/openapi.json')).json()) as OpenAPIObject;
});

afterAll(() => service.close());

const routes = [
  ['POST', '/api/counterparties', 'counterparties:write'],
  ['GET', '/api/counterparties', 'counterparties:read'],
] as const;

it.each(routes)('%s %s needs a good token with the scope %s', async (method, path, scope) => {
  for (const { name, headers, status } of await badTokens(service, scope)) {
    const body = method === 'POST' ? { json: { businessDocId: 'D1' } } : {};
    const response = await service.fetch(`${path}?businessEntity=TCK`, { method, headers, ...body });
    expect([name, response.status]).toEqual([name, status]);
  }
});

it('has no routes but these', () => {
  const documented = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, { security?: [{ bearer?: string[] }] }>).map(
      ([method, operation]) => [method.toUpperCase(), path, operation.security?.[0].bearer?.join(' ')],
    ),
  );
  expect(documented).toEqual(routes.map((route) => [...route]));
});

it('documents what it takes and what it answers', async () => {
  const { get, post } = document.paths['/api/counterparties'] ?? {};
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const answer = (schema: object) => ({ content: { 'application/json': { schema } } });

  expect(await new Validator().validate({ ...document })).toMatchObject({ valid: true });
  expect(emptySchemas(document)).toEqual([]);
  expect(post).toMatchObject({
    requestBody: answer(ref('CounterpartyDto')),
    responses: { 200: answer(ref('SavedCounterpartyResponse')) },
  });
  expect(get?.responses).toMatchObject({
    200: answer({ oneOf: [ref('CounterpartyDetailResponse'), ref('CounterpartyPageResponse')] }),
    404: { content: { 'application/problem+json': { schema: ref('Problem') } } },
  });
  expect(get?.parameters).toHaveLength(8);
  expect(document.components?.schemas).toMatchObject({
    CounterpartyDto: {
      required: ['businessDocId'],
      properties: {
        businessDocId: { type: 'string', minLength: 1, maxLength: 100 },
        name: { type: ['string', 'null'], maxLength: 200 },
        addresses: { type: 'array', maxItems: 200, items: ref('AddressDto') },
      },
    },
    CounterpartyPageResponse: { properties: { items: { items: ref('CounterpartyResponse') } } },
    CounterpartyResponse: {
      properties: {
        status: { type: 'string', maxLength: 30 },
        updatedAt: { type: ['string', 'null'], format: 'date-time' },
        fiscalReferences: { items: ref('FiscalReferenceResponse') },
      },
    },
  });
});
