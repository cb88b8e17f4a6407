import { AppError } from '@malote/app-error';
import type { FastifyRequest } from 'fastify';

/**
 * For routes that go by the cookie, which browsers send along whoever asked for it. Browsers say where a request comes from;
 * what says nothing is no browser, and has nobody's cookie but its own.
 */
export function refuseCrossSite({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>): void {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const isOurs =
    site === undefined ? origin === undefined || hostOf(origin) === host : site === 'same-origin';
  if (!isOurs) {
    throw new AppError('forbidden', 'cross-site-request', 'This request came from another site');
  }
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
