import { createHmac, generateKeyPairSync } from 'node:crypto';
import { decodeJwt, type JWTPayload, SignJWT } from 'jose';
import { devPublicKey } from '../auth/dev-key.ts';
import type { TestService } from './start-test-service.ts';

export interface BadToken {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: 401 | 403;
}

/** Ways to call a route that needs `scope`, each wrong in one respect only, and the status each must end in. */
export async function badTokens(
  service: Pick<TestService, 'config' | 'token'>,
  scope: string,
): Promise<BadToken[]> {
  const good = await service.token({ scope });
  const claims = decodeJwt(good);
  return [
    { name: 'no token', headers: {}, status: 401 },
    { name: 'another scheme', headers: { authorization: 'Basic YTpi' }, status: 401 },
    bearer('no JWT', 'opaque', 401),
    bearer('expired', await service.token({ scope, ttlSeconds: -60 }), 401),
    bearer('for another audience', await service.token({ scope, audience: 'somebody-else' }), 401),
    bearer('by another issuer', await service.token({ scope, issuer: 'https://evil.example' }), 401),
    bearer('signed with another key', await signWithAnotherKey(claims), 401),
    bearer('HS256 with the public key', signWithPublicKey(claims, service.config.devKeyPath), 401),
    bearer('alg none', `${encode({ alg: 'none' })}.${encode(claims)}.`, 401),
    bearer('with other claims than were signed', withOtherClaims(good, claims), 401),
    bearer('without a scope', await service.token(), 403),
    bearer('with another scope', await service.token({ scope: `${scope}r other:write` }), 403),
  ];
}

function bearer(name: string, token: string, status: BadToken['status']): BadToken {
  return { name, headers: { authorization: `Bearer ${token}` }, status };
}

function signWithAnotherKey(claims: JWTPayload): Promise<string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' }).sign(privateKey);
}

/** A verifier that believes the token's algorithm takes the public key, which everybody has, for a secret. */
function signWithPublicKey(claims: JWTPayload, devKeyPath: string): string {
  const secret = devPublicKey(devKeyPath).export({ type: 'spki', format: 'pem' });
  const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

function withOtherClaims(token: string, claims: JWTPayload): string {
  const [header, , signature] = token.split('.');
  return `${header}.${encode({ ...claims, sub: 'somebody-else' })}.${signature}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
