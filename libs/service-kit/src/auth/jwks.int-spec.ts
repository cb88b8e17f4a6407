import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exportJWK, type JWK, SignJWT } from 'jose';
import { probeService } from '../testing/probe.service.ts';
import { startTestService, type TestService } from '../testing/start-test-service.ts';
import { JwksKeySource } from './key-source.ts';

const first = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const second = generateKeyPairSync('rsa', { modulusLength: 2048 });

function sign(pair: KeyPairKeyObjectResult, alg: string, kid: string): Promise<string> {
  return new SignJWT({ scope: 'probe:read' })
    .setProtectedHeader({ alg, kid, jku: 'http://127.0.0.1:9/evil' })
    .setIssuer('urn:malote:development')
    .setAudience('malote')
    .setSubject('partner-a')
    .setExpirationTime('5m')
    .sign(pair.privateKey);
}

describe('keys from a JWKS address', () => {
  let issuer: Server;
  let url: string;
  let keys: JWK[];
  let fetches: number;
  let isDown: boolean;
  let service: TestService | undefined;

  beforeEach(async () => {
    keys = [{ ...(await exportJWK(first.publicKey)), kid: 'first', alg: 'ES256', use: 'sig' }];
    fetches = 0;
    isDown = false;
    issuer = createServer((_request, response) => {
      fetches++;
      if (isDown) response.writeHead(500).end();
      else response.end(JSON.stringify({ keys }));
    }).listen(0, '127.0.0.1');
    await once(issuer, 'listening');
    url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks`;
  });

  afterEach(async () => {
    await service?.close();
    service = undefined;
    issuer.close();
    issuer.closeAllConnections();
  });

  it('fetches them once, and takes an unknown key for no key', async () => {
    service = await startTestService(probeService, { env: { JWT_JWKS_URL: url } });

    for (let i = 0; i < 3; i++) {
      const response = await service.fetch('/probe/private', { token: await sign(first, 'ES256', 'first') });
      expect(response.status).toBe(200);
    }
    const stranger = await service.fetch('/probe/private', { token: await sign(second, 'RS256', 'second') });
    expect(stranger.status).toBe(401);
    expect(fetches).toBe(1);
  });

  it('is unavailable, not unauthorised, while the keys cannot be had, and recovers', async () => {
    isDown = true;
    service = await startTestService(probeService, { env: { JWT_JWKS_URL: url } });
    const token = await sign(first, 'ES256', 'first');

    const down = await service.fetch('/probe/private', { token });
    expect(down.status).toBe(503);
    expect(down.headers.get('retry-after')).toBe('5');
    expect(await down.json()).toMatchObject({ code: 'token-keys-unavailable' });

    isDown = false;
    expect((await service.fetch('/probe/private', { token })).status).toBe(200);
  });

  it('follows a rotation, and keeps known keys while the issuer is away', async () => {
    const source = new JwksKeySource(new URL(url), 0);
    expect(await source.find({ alg: 'ES256', kid: 'first' })).toMatchObject({ algorithm: 'ES256' });

    keys = [...keys, { ...(await exportJWK(second.publicKey)), kid: 'second', alg: 'RS256', use: 'sig' }];
    expect(await source.find({ alg: 'RS256', kid: 'second' })).toMatchObject({ algorithm: 'RS256' });

    isDown = true;
    expect(await source.find({ alg: 'ES256', kid: 'first' })).toMatchObject({ algorithm: 'ES256' });
    await expect(source.find({ alg: 'RS256', kid: 'third' })).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'token-keys-unavailable',
    });
  });
});
