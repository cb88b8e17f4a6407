import type { FastifyRequest } from 'fastify';

const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

export function bearerToken(request: FastifyRequest): string | undefined {
  return BEARER.exec(request.headers.authorization ?? '')?.[1];
}
