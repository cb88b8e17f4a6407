import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Draining } from '../lifecycle/draining.ts';
import { continueTrace } from '../logging/trace.ts';

const SANE_ID = /^[\w.:-]{8,64}$/;

/** The caller's request id when it is harmless to log and echo, else one of ours. */
export function requestId(request: { headers: IncomingHttpHeaders }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
}

/** Gives each request its place in a trace, and each response what every response has. */
export function trackContext(fastify: FastifyInstance, draining: Draining): void {
  fastify.decorateRequest('trace', undefined);
  fastify.decorateRequest('caller', undefined);
  fastify.decorateRequest('rawBody', undefined);
  fastify.decorateRequest('rawText', undefined);
  fastify.decorateRequest('token', undefined);
  fastify.addHook('onRequest', (request, reply, done) => {
    request.trace = continueTrace(traceParent(request));
    reply.header('x-request-id', request.id);
    done();
  });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    // A connection that is kept alive would hold up the close.
    if (draining.active) reply.header('connection', 'close');
    done();
  });
}

function traceParent(request: FastifyRequest): string | undefined {
  const header = request.headers.traceparent;
  return typeof header === 'string' ? header : undefined;
}
