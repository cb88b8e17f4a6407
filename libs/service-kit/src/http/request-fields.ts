import type { Caller } from '../auth/caller.ts';
import type { Trace } from '../logging/trace.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route refuses a request without a token before it reads the body. */
    needsToken?: boolean;
  }
  interface FastifyRequest {
    /** Set by the guard on routes that need a token. */
    caller?: Caller | undefined;
    trace?: Trace | undefined;
    /** The bytes of the body as they came. */
    rawBody?: Buffer | undefined;
    /** The same as text. */
    rawText?: string | undefined;
    /** The bearer token, once it was looked for. */
    token?: string | undefined;
  }
}
