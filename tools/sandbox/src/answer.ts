import { STATUS_CODES } from 'node:http';
import { type FastifyReply } from 'fastify';

export interface WrittenAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

/** What a request gets: a response, or a connection that breaks. */
export type Answer = WrittenAnswer | 'reset';

/** RFC 9457; `reason` is for programs, `detail` for whoever reads the log. */
export function problem(status: number, reason: string, detail = ''): WrittenAnswer {
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: { status, title: STATUS_CODES[status], reason, ...(detail && { detail }) },
  };
}

export function give(reply: FastifyReply, answer: Answer): FastifyReply {
  if (answer !== 'reset') {
    return reply
      .code(answer.status)
      .headers({ ...answer.headers })
      .send(answer.body);
  }
  reply.hijack();
  reply.raw.socket?.resetAndDestroy();
  return reply;
}

/** As the ledger has it: null stands for no answer. */
export function statusOf(answer: Answer): number | null {
  return answer === 'reset' ? null : answer.status;
}
