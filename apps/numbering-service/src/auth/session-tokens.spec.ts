import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt, SignJWT } from 'jose';
import { testConfig } from '../testing/test-config.ts';
import { SessionTokens } from './session-tokens.ts';

const NOW = new Date('2026-03-10T12:00:00.000Z');
const inMs = (ms: number) => new Date(NOW.getTime() + ms);
const SOURCE = {
  sessionId: 'session-1',
  userId: 'user-1',
  generation: 3,
  rotatedAt: NOW,
  expiresAt: inMs(3_600_000),
};
const [OLD_KEY, NEW_KEY] = ['o', 'n'].map((letter) => Buffer.alloc(32, letter).toString('base64'));
const tokensOf = (...keys: (string | undefined)[]) =>
  new SessionTokens(testConfig({ SESSION_KEY: keys.join() }));
const tokens = tokensOf(OLD_KEY);

describe('an access token', () => {
  it('says whose and of which session it is, for ten minutes', async () => {
    const { accessToken, accessExpiresInSeconds } = await tokens.issue(SOURCE, NOW);
    expect(accessExpiresInSeconds).toBe(600);
    const claims = { userId: 'user-1', sessionId: 'session-1' };
    expect(await tokens.readAccess(accessToken, inMs(599_000))).toEqual(claims);
    expect(await tokens.readAccess(accessToken, inMs(600_000))).toBeUndefined();
  });

  it('does not outlive its session', async () => {
    const issued = await tokens.issue({ ...SOURCE, expiresAt: inMs(60_000) }, NOW);
    expect(issued.accessExpiresInSeconds).toBe(60);
    expect(await tokens.readAccess(issued.accessToken, inMs(60_000))).toBeUndefined();
  });

  it('is no refresh token', async () => {
    const { accessToken } = await tokens.issue(SOURCE, NOW);
    expect(await tokens.readRefresh(accessToken, NOW)).toBeUndefined();
  });
});

describe('a refresh token', () => {
  it('says of which session and generation it is, until the session idles', async () => {
    const { refreshToken, refreshExpiresAt } = await tokens.issue(SOURCE, NOW);
    expect(refreshExpiresAt).toEqual(SOURCE.expiresAt);
    const claims = { sessionId: 'session-1', generation: 3 };
    expect(await tokens.readRefresh(refreshToken, inMs(3_599_000))).toEqual(claims);
    expect(await tokens.readRefresh(refreshToken, inMs(3_600_000))).toBeUndefined();
  });

  it('is the same one whenever it is made', async () => {
    const [first, later] = [await tokens.issue(SOURCE, NOW), await tokens.issue(SOURCE, inMs(9000))];
    expect(later.refreshToken).toBe(first.refreshToken);
    expect(later.accessToken).not.toBe(first.accessToken);
  });

  it('is no access token', async () => {
    const { refreshToken } = await tokens.issue(SOURCE, NOW);
    expect(await tokens.readAccess(refreshToken, NOW)).toBeUndefined();
  });
});

describe('while keys rotate', () => {
  it('tokens of either key count, and new ones are signed with the first', async () => {
    const rotating = tokensOf(NEW_KEY, OLD_KEY);
    const before = await tokens.issue(SOURCE, NOW);
    expect(await rotating.readAccess(before.accessToken, NOW)).toBeDefined();
    const { accessToken } = await rotating.issue(SOURCE, NOW);
    expect(await tokensOf(NEW_KEY).readAccess(accessToken, NOW)).toBeDefined();
    expect(await tokens.readAccess(accessToken, NOW)).toBeUndefined();
  });
});

describe('what is not signed by us', () => {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

  it('does not count, whatever it says', async () => {
    const { accessToken } = await tokens.issue(SOURCE, NOW);
    const claims = decodeJwt(accessToken);
    const [header, , signature] = accessToken.split('.');
    const key = Buffer.from(OLD_KEY ?? '', 'base64');
    const sign = (typ: string, more: object = {}) =>
      new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: 'HS256', typ }).sign(key);
    const otherwise = `${encode({ alg: 'HS512', typ: 'at+jwt' })}.${encode(claims)}`;
    expect(await tokens.readAccess(await sign('at+jwt'), NOW)).toBeDefined();
    const bad = [
      '',
      'opaque',
      `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode(claims)}.`,
      `${header}.${encode({ ...claims, sub: 'admin' })}.${signature}`,
      (await tokensOf(NEW_KEY).issue(SOURCE, NOW)).accessToken,
      `${otherwise}.${createHmac('sha512', key).update(otherwise).digest('base64url')}`,
      await sign('JWT'),
      await sign('at+jwt', { aud: 'refresh' }),
      await sign('at+jwt', { iss: 'somebody' }),
      await sign('at+jwt', { exp: undefined }),
      await sign('at+jwt', { sub: 7 }),
      await sign('at+jwt', { sid: undefined }),
    ];
    for (const token of bad) {
      expect([token, await tokens.readAccess(token, NOW)]).toEqual([token, undefined]);
    }
  });
});
