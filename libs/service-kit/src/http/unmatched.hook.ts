import type { FastifyInstance } from 'fastify';
import { HttpProblem } from '../problem/http-problem.ts';
import type { KnownRoutes } from './known-routes.ts';

/** Answers requests without a route before their body is read: 404, 405 with `Allow`, or the methods for OPTIONS. */
export function answerUnmatched(fastify: FastifyInstance, routes: KnownRoutes): void {
  fastify.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    const methods = routes.methodsOf(request.url.split('?', 1)[0] ?? '');
    if (methods.length === 0)
      throw new HttpProblem(404, 'route-not-found', 'There is nothing at this address');
    const allow = methods.join(', ');
    if (request.method === 'OPTIONS') {
      await reply.code(204).header('allow', allow).send();
      return;
    }
    throw new HttpProblem(405, 'method-not-allowed', `This address answers ${allow}`, { allow });
  });
}
