import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { devPrivateKey } from './dev-key.ts';

export interface DevTokenOptions {
  readonly keyPath: string;
  readonly issuer: string;
  readonly audience: string;
  readonly subject: string;
  /** Space-separated, as in RFC 6749. */
  readonly scope: string;
  readonly ttlSeconds: number;
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Signs a token that a service in development accepts. */
export async function signDevToken(options: DevTokenOptions): Promise<string> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...options.claims, scope: options.scope })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
    .setIssuer(options.issuer)
    .setAudience(options.audience)
    .setSubject(options.subject)
    .setJti(randomUUID())
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + options.ttlSeconds)
    .sign(devPrivateKey(options.keyPath));
}
