import { setTimeout as sleep } from 'node:timers/promises';
import { DEVELOPMENT_SIGNING_SECRET, WebhookSigner } from '@malote/http-delivery';
import { loadConfig, Log } from '@malote/service-kit';
import { type FastifyInstance } from 'fastify';
import { type LedgerEntry, type LedgerPage, type LedgerSummary } from '../ledger.ts';
import { SandboxConfig } from '../sandbox.config.ts';
import { createSandbox } from '../sandbox.ts';

const PATHS = { ack: '/functional-ack/v3', return: '/ticket-return', ticket: '/tickets' };

export type Kind = keyof typeof PATHS;

export interface PostOptions {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signedAt?: Date;
  readonly secret?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A sandbox in this process, on a port the system picks, and the ways to talk to it. */
export class RunningSandbox {
  private constructor(
    private readonly server: FastifyInstance,
    readonly url: string,
  ) {}

  static async start(callbackUrl = 'http://127.0.0.1:9/unused'): Promise<RunningSandbox> {
    const config = loadConfig(SandboxConfig, { CALLBACK_URL: callbackUrl, LOG_LEVEL: 'silent' });
    const server = createSandbox(config, new Log('sandbox', config));
    return new RunningSandbox(server, await server.listen({ port: 0, host: '127.0.0.1' }));
  }

  /** Signed with the development secret, under a key derived from the body, unless told otherwise. */
  async post(kind: Kind, content: unknown, options: PostOptions = {}): Promise<Answered> {
    const body = typeof content === 'string' ? content : JSON.stringify(content);
    const { key = `${kind}:${body}`.replace(/[^\w:.-]/g, '_'), signedAt = new Date() } = options;
    const signer = new WebhookSigner([options.secret ?? DEVELOPMENT_SIGNING_SECRET]);
    const signature = signer.signedHeaders(key ?? 'no-key', body, signedAt);
    const headers = new Headers({ 'content-type': 'application/json', ...signature });
    if (key !== null) headers.set('idempotency-key', key);
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
    return this.send(`/gateway${PATHS[kind]}`, { method: 'POST', headers, body });
  }

  async setFaults(faults: object): Promise<Answered> {
    return this.send('/faults/gateway', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(faults),
    });
  }

  async ledger(query = ''): Promise<readonly LedgerEntry[]> {
    const { body } = await this.send(`/ledger?${query}`);
    return (body as unknown as LedgerPage).entries;
  }

  async summary(): Promise<LedgerSummary> {
    return (await this.send('/ledger/summary')).body as LedgerSummary;
  }

  /** The callbacks in the ledger, once none of them is pending. */
  async settledCallbacks(): Promise<readonly LedgerEntry[]> {
    for (;;) {
      const entries = await this.ledger('kind=callback');
      if (entries.length > 0 && entries.every(({ decision }) => decision !== 'pending')) return entries;
      await sleep(10);
    }
  }

  async send(path: string, init: RequestInit = {}): Promise<Answered> {
    const answer = await fetch(`${this.url}${path}`, init);
    const written = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json');
    const body = isJson ? (JSON.parse(written) as Record<string, unknown>) : { written };
    return { status: answer.status, headers: answer.headers, body };
  }

  async close(): Promise<void> {
    await this.server.close();
  }
}

/** Resolves to the network error a request ended in. */
export async function faultOf(answer: Promise<unknown>): Promise<string> {
  try {
    await answer;
    return 'none';
  } catch (error) {
    const { cause, name } = error as Error;
    return (cause as NodeJS.ErrnoException | undefined)?.code ?? name;
  }
}
