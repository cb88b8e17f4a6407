import { WebhookVerifier } from '@malote/http-delivery';
import { HttpProblem } from '@malote/service-kit';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The gateway has no token of ours; it signs what it says. */
@Injectable()
export class SignedByGateway implements CanActivate {
  constructor(private readonly verifier: WebhookVerifier) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers, rawBody = '' } = context.switchToHttp().getRequest<FastifyRequest>();
    const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      headers[name]?.toString(),
    );
    if (this.verifier.verify(id, timestamp, signature, rawBody, new Date())) return true;
    throw new HttpProblem(
      401,
      'signature-invalid',
      'The callback is not signed, or not as the gateway signs',
    );
  }
}
