import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Log } from '../logging/log.ts';
import { sendProblem } from './send-problem.ts';

/** The one place where an error becomes a response. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (reply.sent || reply.raw.headersSent) {
      this.log.error('Failed after the response had begun', { err: error, requestId: request.id });
      reply.raw.destroy();
      return;
    }
    sendProblem(error, request, reply, this.log);
  }
}
