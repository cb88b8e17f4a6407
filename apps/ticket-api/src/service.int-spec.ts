import { badTokens, emptySchemas, startTestService, type TestService } from '@malote/service-kit/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Validator } from '@seriousme/openapi-schema-validator';
import { shipmentTicket } from './testing/shipment-ticket.ts';
import { service as definition } from './service.ts';

let service: TestService;
let document: OpenAPIObject;

beforeAll(async () => {
  service = await startTestService(definition);
  document = (await (await service.fetch('/openapi.json')).json()) as OpenAPIObject;
});

afterAll(() => service.close());

const routes = [
  ['POST', '/api/tickets', 'tickets:write'],
  ['GET', '/api/tickets', 'tickets:read'],
  ['GET', '/api/tickets/{businessEntity}/{businessDocId}', 'tickets:read'],
  ['POST', '/api/functional-ack', 'functional-acks:write'],
] as const;

const pathOf = (route: string) => route.replace('{businessEntity}', 'TCK').replace('{businessDocId}', 'D1');
const bodyOf = (method: string) =>
  method === 'POST' ? { json: shipmentTicket({ businessDocId: 'D1' }) } : {};

it.each(routes)('%s %s needs a good token with the scope %s', async (method, route, scope) => {
  for (const { name, headers, status } of await badTokens(service, scope)) {
    const response = await service.fetch(pathOf(route), { method, headers, ...bodyOf(method) });
    expect([name, response.status]).toEqual([name, status]);
  }
});

it.each(routes)('%s %s takes no token that is for the other routes', async (method, route, scope) => {
  const others = routes.map(([, , other]) => other).filter((other) => other !== scope);
  const token = await service.token({ scope: others.join(' ') });
  expect((await service.fetch(pathOf(route), { method, token, ...bodyOf(method) })).status).toBe(403);
});

it.each(routes)('%s %s lets a good token in', async (method, route, scope) => {
  const token = await service.token({ scope });
  const { status } = await service.fetch(pathOf(route), { method, token, ...bodyOf(method) });
  expect([200, 202]).toContain(status);
});

it('has these routes and the callback, which needs a signature instead of a token', () => {
  const documented = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, { security?: [{ bearer?: string[] }] }>).map(
      ([method, operation]) => [method.toUpperCase(), path, operation.security?.[0].bearer?.join(' ')],
    ),
  );
  const expected = [...routes, ['POST', '/api/tickets/callback', undefined]];
  expect(documented.map(String).sort()).toEqual(expected.map(String).sort());
});

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const answer = (schema: object) => ({ content: { 'application/json': { schema } } });

it.each([
  ['/api/tickets', 'ShipmentTicketDto', 200, 'TicketReceiptDto', ['409']],
  ['/api/tickets/callback', 'CallbackDto', 200, 'CallbackReceiptDto', ['401', '404']],
  ['/api/functional-ack', 'FunctionalAckDto', 202, 'FunctionalAckReceiptDto', ['409']],
])('documents what POST %s takes and answers', (path, request, status, response, failures) => {
  const post = document.paths[path]?.post;
  expect(post).toMatchObject({
    requestBody: answer(ref(request)),
    responses: { [status]: answer(ref(response)) },
  });
  expect(Object.keys(post?.responses ?? {})).toEqual(expect.arrayContaining(failures));
});

it.each([
  ['/api/tickets', 'TicketPageDto', 14],
  ['/api/tickets/{businessEntity}/{businessDocId}', 'DocumentDto', 2],
])('documents what GET %s answers and which parameters it has', (path, response, parameters) => {
  const get = document.paths[path]?.get;
  expect(get?.responses).toMatchObject({ 200: answer(ref(response)) });
  expect(get?.parameters).toHaveLength(parameters);
});

it('documents every field with its limits', async () => {
  expect(await new Validator().validate({ ...document })).toMatchObject({ valid: true });
  expect(emptySchemas(document)).toEqual([]);
  expect(document.components?.schemas).toMatchObject({
    ShipmentTicketDto: {
      properties: {
        businessDocId: { type: 'string', minLength: 1, maxLength: 100 },
        companyCode: { type: 'string', minLength: 1, maxLength: 20 },
        phaseCode: { enum: [15, 6] },
        functionalAckIsRequired: { type: 'boolean' },
        netWeight: { type: 'number', minimum: 0 },
      },
    },
    CallbackDto: { properties: { status: { enum: ['Received', 'Success', 'Error'] } } },
  });
});
