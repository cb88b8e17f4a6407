import { expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { PRODUCTION, testConfig } from '../testing/test-config.ts';
import { SessionCookie } from './session-cookie.ts';

const NOW = new Date('2026-03-10T12:00:00.000Z');
const tokens = {
  accessToken: 'a',
  accessExpiresInSeconds: 600,
  refreshToken: 'header.payload.signature',
  refreshExpiresAt: new Date(NOW.getTime() + 3_600_000),
};

function written(act: (reply: FastifyReply) => void): string[] {
  const lines: string[] = [];
  const reply = { header: (name: string, value: string) => lines.push(`${name}: ${value}`) };
  act(reply as unknown as FastifyReply);
  return lines;
}

const cookieOf = (env = {}) => new SessionCookie(testConfig(env), { now: () => NOW });

it('is bound to this very host and to https in production', () => {
  expect(
    written((reply) => {
      cookieOf(PRODUCTION).set(reply, tokens);
    }),
  ).toEqual([
    'set-cookie: __Host-malote_session=header.payload.signature; Max-Age=3600; Path=/; HttpOnly; Secure; SameSite=Lax',
  ]);
});

it('works without https elsewhere', () => {
  expect(
    written((reply) => {
      cookieOf().set(reply, tokens);
    }),
  ).toEqual([
    'set-cookie: malote_session=header.payload.signature; Max-Age=3600; Path=/; HttpOnly; SameSite=Lax',
  ]);
});

it('is taken away as it was set', () => {
  expect(
    written((reply) => {
      cookieOf(PRODUCTION).clear(reply);
    }),
  ).toEqual(['set-cookie: __Host-malote_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax']);
});

it('is found among others, under its own name only', () => {
  const read = (cookie: string) => cookieOf().read({ headers: { cookie } });
  expect(read('a=1; malote_session=x.y.z; b=2')).toBe('x.y.z');
  expect(read('__Host-malote_session=x.y.z')).toBeUndefined();
  expect(cookieOf().read({ headers: {} })).toBeUndefined();
});
