import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../logging/log.ts';
import type { HttpMetrics } from '../metrics/http-metrics.ts';

const PROBES = /^\/(?:health\/|metrics$)/;

/** One line and one observation per request, by route template: a raw path would carry ids and make endless series. */
export function observeRequests(fastify: FastifyInstance, log: Log, metrics: HttpMetrics): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    observeResponse(request, reply, log, metrics);
    done();
  });
}

function observeResponse(request: FastifyRequest, reply: FastifyReply, log: Log, metrics: HttpMetrics): void {
  const route = request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched');
  const { method, caller } = request;
  const status = reply.statusCode;
  metrics.observe(method, route, status, reply.elapsedTime / 1000);
  const line = {
    method,
    route,
    status,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    subject: caller?.subject,
    aborted: !reply.raw.writableFinished,
    requestId: request.id,
    traceId: request.trace?.traceId ?? '',
  };
  log.request(line, PROBES.test(route) ? 'debug' : 'info');
}
