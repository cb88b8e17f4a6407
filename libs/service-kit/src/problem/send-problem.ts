import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../logging/log.ts';
import { PROBLEM_TYPE } from './problem.ts';
import { toProblem } from './to-problem.ts';

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): void {
  const { problem, headers } = toProblem(error);
  if (problem.status >= 500) log.error('Request failed', { err: error, code: problem.code });
  const body = {
    ...problem,
    instance: request.url.split('?', 1)[0],
    requestId: request.id,
    traceId: request.trace?.traceId,
  };
  void reply
    .code(problem.status)
    .headers(headers)
    .header('content-type', PROBLEM_TYPE)
    .serializer(JSON.stringify)
    .send(body);
}
