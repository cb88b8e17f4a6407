import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpProblem } from '../problem/http-problem.ts';
import { parseStrictJson } from './strict-json.ts';

const JSON_TYPES = /^application\/(?:json|[\w.-]+\+json)(?:\s*;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([\w-]+)"?/i;

/** JSON is the only body a service takes unless a route's module adds a parser. The bytes stay in `rawBody` for HMAC checks. */
export function acceptStrictJson(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addHook('preParsing', (request, _reply, _payload, done) => {
    refuseEncodings(request);
    done();
  });
  fastify.addContentTypeParser(JSON_TYPES, { parseAs: 'buffer' }, (request, body, done) => {
    try {
      refuseOtherCharsets(request);
      request.rawBody = body as Buffer;
      const { text, value } = parseStrictJson(body as Buffer);
      request.rawText = text;
      done(null, value);
    } catch (error) {
      done(error instanceof Error ? error : new Error('The body could not be read', { cause: error }));
    }
  });
}

/** Nothing here unpacks a body, so a compressed one would be read as broken JSON. RFC 9110, 15.5.16 says how to tell the caller. */
function refuseEncodings({ headers }: FastifyRequest): void {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (!hasBody || encoding === '' || encoding === 'identity') return;
  throw new HttpProblem(
    415,
    'unsupported-content-encoding',
    'The body must be sent without a content encoding',
    {
      'accept-encoding': 'identity',
    },
  );
}

/** RFC 8259, 8.1: JSON between systems is UTF-8. */
function refuseOtherCharsets(request: FastifyRequest): void {
  const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8') return;
  throw new HttpProblem(415, 'unsupported-media-type', 'JSON must be sent as UTF-8');
}
