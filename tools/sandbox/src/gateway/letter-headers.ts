import { idempotencyKeyFrom } from '@malote/idempotency';
import { type WebhookVerifier } from '@malote/http-delivery';
import { type FastifyRequest } from 'fastify';

/** A key that is malformed counts as none. */
export function keyOf(request: FastifyRequest): string | undefined {
  try {
    return idempotencyKeyFrom(headerOf(request, 'idempotency-key'));
  } catch {
    return undefined;
  }
}

export function isSigned(request: FastifyRequest, body: Buffer, verifier: WebhookVerifier): boolean {
  return verifier.verify(
    headerOf(request, 'webhook-id'),
    headerOf(request, 'webhook-timestamp'),
    headerOf(request, 'webhook-signature'),
    body,
    new Date(),
  );
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
