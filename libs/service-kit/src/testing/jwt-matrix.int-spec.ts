import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { badTokens } from './jwt-matrix.ts';
import { probeService } from './probe.service.ts';
import { startTestService, type TestService } from './start-test-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService(probeService);
});

afterAll(() => service.close());

it('makes tokens that are refused, each for its own fault', async () => {
  const tokens = await badTokens(service, 'probe:read');
  expect(new Set(tokens.map(({ name }) => name)).size).toBe(tokens.length);

  const said: unknown[] = [];
  for (const { name, headers, status } of tokens) {
    const response = await service.fetch('/probe/private', { headers });
    said.push([name, response.status, ((await response.json()) as { detail: string }).detail]);
    expect([name, response.status]).toEqual([name, status]);
  }
  expect(said).toEqual([
    ['no token', 401, 'This route needs a bearer token'],
    ['another scheme', 401, 'This route needs a bearer token'],
    ['no JWT', 401, 'The token is malformed'],
    ['expired', 401, 'The token has expired'],
    ['for another audience', 401, 'The token is for another audience'],
    ['by another issuer', 401, 'The token is from another issuer'],
    ['signed with another key', 401, 'The signature of the token is wrong'],
    ['HS256 with the public key', 401, 'The token is signed with another algorithm'],
    ['alg none', 401, 'The token is signed with another algorithm'],
    ['with other claims than were signed', 401, 'The signature of the token is wrong'],
    ['without a scope', 403, 'The token must have the scope probe:read'],
    ['with another scope', 403, 'The token must have the scope probe:read'],
  ]);
});

it('differ from a token that is let in', async () => {
  const token = await service.token({ scope: 'probe:read' });
  expect((await service.fetch('/probe/private', { token })).status).toBe(200);
});
