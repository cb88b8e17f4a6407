import type { FastifyRequest } from 'fastify';

const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

export function bearerToken({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return BEARER.exec(headers.authorization ?? '')?.[1];
}
