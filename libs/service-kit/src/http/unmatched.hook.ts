import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from '../problem/http-problem.ts';
import type { KnownRoutes } from './known-routes.ts';

const NOWHERE = '/.unroutable';
const refusals = new WeakMap<IncomingMessage, Error>();

/**
 * The router refuses some addresses before any hook runs, and the answer would lack what every response has. Such a request goes
 * round again, to an address that is nobody's, and meets its refusal in the hook below.
 */
export function sendAround(
  fastify: FastifyInstance,
  refusal: Error,
  { raw }: FastifyRequest,
  reply: FastifyReply,
): void {
  refusals.set(raw, refusal);
  Object.assign(raw, { url: NOWHERE, originalUrl: raw.url });
  fastify.routing(raw, reply.raw);
}

/** Answers requests without a route before their body is read: 404, 405 with `Allow`, or the methods for OPTIONS. */
export function answerUnmatched(fastify: FastifyInstance, routes: KnownRoutes): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const refusal = refusals.get(request.raw);
    if (refusal) throw refusal;
    if (!request.is404) {
      done();
      return;
    }
    const methods = routes.methodsOf(request.url.split(/[?#]/, 1)[0] ?? '');
    if (methods.length === 0)
      throw new HttpProblem(404, 'route-not-found', 'There is nothing at this address');
    const allow = methods.join(', ');
    if (request.method === 'OPTIONS') {
      void reply.code(204).header('allow', allow).send();
      return;
    }
    throw new HttpProblem(405, 'method-not-allowed', `This address answers ${allow}`, { allow });
  });
}
