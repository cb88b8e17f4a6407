import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { Html } from './html.ts';
import { type PageAnswer, Refused, SeeOther } from './page-answer.ts';
import { PAGE_HEADERS } from './page-headers.ts';

/** Turns what a handler answers into a response. */
@Injectable()
export class PageInterceptor implements NestInterceptor<PageAnswer> {
  intercept(context: ExecutionContext, next: CallHandler<PageAnswer>): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((answer) => send(reply, answer)));
  }
}

function send(reply: FastifyReply, answer: PageAnswer): unknown {
  if (answer instanceof SeeOther) {
    void reply.code(303).header('location', answer.path);
    return '';
  }
  if (answer instanceof Refused) {
    void reply.code(answer.status).headers({ ...PAGE_HEADERS, ...answer.headers });
    return answer.page.toString();
  }
  if (!(answer instanceof Html)) return answer;
  void reply.code(200).headers(PAGE_HEADERS);
  return answer.toString();
}
