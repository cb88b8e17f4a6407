import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Module, Post } from '@nestjs/common';
import { type JWTPayload, SignJWT } from 'jose';
import { probeService } from '../testing/probe.service.ts';
import { startTestService, type TestService } from '../testing/start-test-service.ts';
import { Public, Scopes } from './access.decorator.ts';

const mine = generateKeyPairSync('rsa', { modulusLength: 2048 });
const theirs = generateKeyPairSync('rsa', { modulusLength: 2048 });
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicPem = mine.publicKey.export({ type: 'spki', format: 'pem' }) as string;
const nowSeconds = Math.floor(Date.now() / 1000);

const good: JWTPayload = {
  iss: 'https://login.example.com',
  aud: 'malote',
  sub: 'partner-a',
  scope: 'probe:read tickets:write',
  exp: nowSeconds + 300,
  company: '42',
};

class Shelf {
  @Post('inherited')
  inherited() {
    return {};
  }
}

@Scopes('vault:write')
@Controller('vault')
class VaultController extends Shelf {
  @Post('items')
  items() {
    return {};
  }

  @Public()
  @Post('open')
  open() {
    return {};
  }
}

@Public()
@Controller('lobby')
class LobbyController extends Shelf {
  @Post('items')
  items() {
    return {};
  }
}

@Module({})
class VaultModule {}

const guardedService: typeof probeService = {
  ...probeService,
  module: (config) => ({
    module: VaultModule,
    imports: [probeService.module(config)],
    controllers: [VaultController, LobbyController],
  }),
};

function without(claim: string): JWTPayload {
  return Object.fromEntries(Object.entries(good).filter(([name]) => name !== claim));
}

function sign(claims: JWTPayload, key: KeyObject = mine.privateKey, header: object = {}): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', ...header }).sign(key);
}

function handmade(header: object, claims: object, signature: (input: string) => string): string {
  const input = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${input}.${signature(input)}`;
}

describe('tokens', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService(guardedService, {
      env: { JWT_PUBLIC_KEY: publicPem, JWT_ISSUER: 'https://login.example.com' },
    });
  });

  afterAll(() => service.close());

  it('lets a good token in, time and again', async () => {
    const token = await sign(good);

    for (const attempt of [1, 2, 3]) {
      const response = await service.fetch('/probe/private', { token });
      expect([attempt, response.status]).toEqual([attempt, 200]);
      expect(await response.json()).toEqual({
        subject: 'partner-a',
        scopes: ['probe:read', 'tickets:write'],
        company: '42',
      });
    }
  });

  it.each<[string, string, () => string | Promise<string>]>([
    [
      'HS256 with the public key as secret',
      'another algorithm',
      () =>
        handmade({ alg: 'HS256', typ: 'JWT' }, good, (input) =>
          createHmac('sha256', publicPem).update(input).digest('base64url'),
        ),
    ],
    ['alg none', 'another algorithm', () => handmade({ alg: 'none' }, good, () => '')],
    ['RS256 by another key', 'signature', () => sign(good, theirs.privateKey)],
    [
      'ES256 where the key is RSA',
      'another algorithm',
      () => sign(good, elliptic.privateKey, { alg: 'ES256' }),
    ],
    ['PS256 by the right key', 'another algorithm', () => sign(good, mine.privateKey, { alg: 'PS256' })],
    ['another audience', 'another audience', () => sign({ ...good, aud: 'somebody-else' })],
    ['no audience', 'another audience', () => sign(without('aud'))],
    ['another issuer', 'another issuer', () => sign({ ...good, iss: 'https://evil.example.com' })],
    ['no expiry', 'no expiry', () => sign(without('exp'))],
    ['an expiry in the past', 'expired', () => sign({ ...good, exp: nowSeconds - 60 })],
    ['a beginning in the future', 'not valid yet', () => sign({ ...good, nbf: nowSeconds + 60 })],
    ['no subject', 'no subject', () => sign(without('sub'))],
    [
      'critical extensions',
      'critical',
      () => handmade({ alg: 'RS256', crit: ['b64'], b64: false }, good, () => 'c2ln'),
    ],
    ['another type', 'not an access token', () => sign(good, mine.privateKey, { typ: 'dpop+jwt' })],
    [
      'changed claims',
      'signature',
      async () => {
        const [header, , signature] = (await sign(good)).split('.');
        const claims = Buffer.from(JSON.stringify({ ...good, sub: 'admin' })).toString('base64url');
        return `${header}.${claims}.${signature}`;
      },
    ],
    ['no JWT at all', 'malformed', () => 'opaque'],
    ['far too much', 'too long', () => 'a'.repeat(9000)],
  ])('refuses a token with %s', async (_name, reason, make) => {
    const response = await service.fetch('/probe/private', { token: await make() });

    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="malote", error="invalid_token"/);
    expect(await response.json()).toMatchObject({
      code: 'token-invalid',
      detail: expect.stringContaining(reason),
    });
  });

  it('allows for clocks that are a little apart', async () => {
    const token = await sign({ ...good, nbf: nowSeconds + 3 });

    expect((await service.fetch('/probe/private', { token })).status).toBe(200);
  });

  it.each([undefined, 'Basic YTpi', 'Bearer', 'Bearer a b'])(
    'asks for a token when there is %s',
    async (value) => {
      const response = await service.fetch('/probe/private', {
        headers: value ? { authorization: value } : {},
      });

      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="malote"');
      expect(await response.json()).toMatchObject({ code: 'token-missing' });
    },
  );

  it.each([
    ['no token', {}, 'token-missing'],
    ['another scheme', { authorization: 'Basic YTpi' }, 'token-missing'],
    ['no JWT', { authorization: 'Bearer opaque' }, 'token-invalid'],
    ['a token that is far too long', { authorization: `Bearer ${'a'.repeat(9000)}` }, 'token-invalid'],
  ])('answers %s with 401 before it looks at the body', async (_name, headers, code) => {
    for (const type of ['application/json', 'text/plain']) {
      const response = await service.fetch('/probe/private', {
        method: 'POST',
        body: '{bad',
        headers: { ...headers, 'content-type': type },
      });

      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="malote"/);
      expect(await response.json()).toMatchObject({ code });
    }
  });

  it('asks first on routes whose class declares the scopes, and never on public ones', async () => {
    const post = { method: 'POST', body: '{bad', headers: { 'content-type': 'application/json' } };

    expect((await service.fetch('/vault/items', post)).status).toBe(401);
    expect((await service.fetch('/vault/open', post)).status).toBe(400);
    expect((await service.fetch('/lobby/items', post)).status).toBe(400);
    expect((await service.fetch('/lobby/items', { method: 'POST', json: {} })).status).toBe(201);
    expect((await service.fetch('/vault/inherited', { method: 'POST', json: {} })).status).toBe(401);
    expect((await service.fetch('/lobby/inherited', { method: 'POST', json: {} })).status).toBe(201);
  });

  it('says what is wrong with the body to whoever has a token', async () => {
    const token = await sign({ ...good, scope: 'probe:read probe:write' });
    const response = await service.fetch('/probe/private', {
      method: 'POST',
      token,
      body: '{bad',
      headers: { 'content-type': 'application/json' },
    });

    expect([response.status, await response.json()]).toMatchObject([400, { code: 'malformed-json' }]);
  });

  it('names the scopes a token lacks', async () => {
    const response = await service.fetch('/probe/private', { method: 'POST', token: await sign(good) });

    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toContain(
      'error="insufficient_scope", scope="probe:read probe:write"',
    );
    expect(await response.json()).toMatchObject({ code: 'insufficient-scope' });
  });

  it('keeps tokens out of the log', async () => {
    const token = await sign(good);
    await service.fetch('/probe/private', { token });
    await service.fetch('/probe/private', { token: await sign({ ...good, exp: 1 }) });

    expect(service.logs.text).toContain('"subject":"partner-a"');
    expect(service.logs.text).not.toContain('eyJ');
  });
});
