import { webcrypto } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { errors, jwtVerify, type JWTPayload, SignJWT } from 'jose';
import { NumberingServiceConfig } from '../numbering-service.config.ts';
import type { IssuedTokens } from './signed-in.ts';

const ISSUER = 'urn:malote:numbering-service';
const ALGORITHM = 'HS256';
const ACCESS_TTL_MS = 10 * 60_000;

/** What of a session its tokens are made of. */
export interface TokenSource {
  readonly sessionId: string;
  readonly userId: string;
  readonly generation: number;
  readonly rotatedAt: Date;
  readonly expiresAt: Date;
}

export interface AccessClaims {
  readonly userId: string;
  readonly sessionId: string;
}

export interface RefreshClaims {
  readonly sessionId: string;
  readonly generation: number;
}

/** Signs and verifies; whether the session still counts is for `Sessions` to say. */
@Injectable()
export class SessionTokens {
  private readonly signingKey: Promise<webcrypto.CryptoKey>;
  private readonly keys: readonly Promise<webcrypto.CryptoKey>[];

  constructor({ sessionKeys }: NumberingServiceConfig) {
    this.keys = sessionKeys.map(importKey);
    const [first] = this.keys;
    if (!first) throw new Error('There is no session key');
    this.signingKey = first;
  }

  /** The refresh token of a generation is always the same one: to hand it out twice gives nothing away. */
  async issue(source: TokenSource, now: Date): Promise<IssuedTokens> {
    const { sessionId, userId, generation, rotatedAt, expiresAt } = source;
    const accessEnd = new Date(Math.min(now.getTime() + ACCESS_TTL_MS, expiresAt.getTime()));
    return {
      accessToken: await this.sign('access', { sub: userId, sid: sessionId }, now, accessEnd),
      accessExpiresInSeconds: secondsOf(accessEnd) - secondsOf(now),
      refreshToken: await this.sign('refresh', { sid: sessionId, gen: generation }, rotatedAt, expiresAt),
      refreshExpiresAt: expiresAt,
    };
  }

  async readAccess(token: string, now: Date): Promise<AccessClaims | undefined> {
    const { sub, sid } = (await this.verify('access', token, now)) ?? {};
    return typeof sub === 'string' && typeof sid === 'string' ? { userId: sub, sessionId: sid } : undefined;
  }

  async readRefresh(token: string, now: Date): Promise<RefreshClaims | undefined> {
    const { sid, gen } = (await this.verify('refresh', token, now)) ?? {};
    return typeof sid === 'string' && typeof gen === 'number'
      ? { sessionId: sid, generation: gen }
      : undefined;
  }

  private async sign(kind: TokenKind, claims: JWTPayload, from: Date, until: Date): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE_OF[kind] })
      .setIssuer(ISSUER)
      .setAudience(kind)
      .setIssuedAt(secondsOf(from))
      .setExpirationTime(secondsOf(until))
      .sign(await this.signingKey);
  }

  private async verify(kind: TokenKind, token: string, now: Date): Promise<JWTPayload | undefined> {
    for (const key of this.keys) {
      try {
        const { payload } = await jwtVerify(token, await key, {
          algorithms: [ALGORITHM],
          typ: TYPE_OF[kind],
          issuer: ISSUER,
          audience: kind,
          requiredClaims: ['exp'],
          currentDate: now,
        });
        return payload;
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
      }
    }
    return undefined;
  }
}

type TokenKind = 'access' | 'refresh';

/** Told apart by their type too, so that neither is ever taken for the other. */
const TYPE_OF = { access: 'at+jwt', refresh: 'refresh+jwt' } as const satisfies Record<TokenKind, string>;

/** Once: as bytes, a key would be imported again for every token. */
function importKey(base64: string): Promise<webcrypto.CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return webcrypto.subtle.importKey('raw', Buffer.from(base64, 'base64'), algorithm, false, [
    'sign',
    'verify',
  ]);
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
