import { isDatabaseOutage } from '@malote/persistence';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorCode } from '../error-code.ts';
import type { Log } from '../logging/log.ts';
import { HttpProblem } from './http-problem.ts';
import { PROBLEM_TYPE } from './problem.ts';
import { toProblem } from './to-problem.ts';

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): void {
  const { problem, headers } = toProblem(hungUp(error, request) ?? error);
  const ids = { requestId: request.id, traceId: request.trace?.traceId };
  if (problem.status >= 500 && !isDatabaseOutage(error))
    log.error('Request failed', { err: error, code: problem.code, ...ids });
  const body = { ...problem, instance: request.originalUrl.split('?', 1)[0], ...ids };
  void reply
    .code(problem.status)
    .headers(headers)
    .header('content-type', PROBLEM_TYPE)
    .serializer(JSON.stringify)
    .send(body);
}

/** Nobody reads this answer; it keeps callers that go away in mid-body out of the errors that wake somebody up. */
function hungUp(error: unknown, { raw }: FastifyRequest): HttpProblem | undefined {
  if (raw.complete || errorCode(error) !== 'ECONNRESET') return undefined;
  return new HttpProblem(400, 'request-aborted', 'The request ended before its body did');
}
