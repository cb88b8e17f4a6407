import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpProblem } from '../problem/http-problem.ts';
import { parseStrictJson } from './strict-json.ts';

const JSON_TYPES = /^application\/(?:json|[\w.-]+\+json)(?:\s*;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([\w-]+)"?/i;

/** JSON is the only body a service takes unless a route's module adds a parser. The bytes stay in `rawBody` for HMAC checks. */
export function acceptStrictJson(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(JSON_TYPES, { parseAs: 'buffer' }, (request, body, done) => {
    try {
      refuseOtherCharsets(request);
      request.rawBody = body as Buffer;
      done(null, parseStrictJson(body as Buffer));
    } catch (error) {
      done(error instanceof Error ? error : new Error('The body could not be read', { cause: error }));
    }
  });
}

/** RFC 8259, 8.1: JSON between systems is UTF-8. */
function refuseOtherCharsets(request: FastifyRequest): void {
  const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8') return;
  throw new HttpProblem(415, 'unsupported-media-type', 'JSON must be sent as UTF-8');
}
