import type { FastifyRequest } from 'fastify';
import { tokenMissing, tokenRefused, TokenRefused } from './challenge.ts';

const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const MAX_TOKEN_CHARS = 8192;

export function bearerToken(request: FastifyRequest): string | undefined {
  return BEARER.exec(request.headers.authorization ?? '')?.[1];
}

/** The token a request came with; throws when there is none, or none worth verifying. */
export function presentedToken(request: FastifyRequest): string {
  request.token ??= readToken(request);
  return request.token;
}

function readToken(request: FastifyRequest): string {
  const token = bearerToken(request);
  if (token === undefined) throw tokenMissing();
  if (token.length > MAX_TOKEN_CHARS) throw tokenRefused(new TokenRefused('The token is too long'));
  if (!JWT.test(token)) throw tokenRefused(new TokenRefused('The token is malformed'));
  return token;
}
