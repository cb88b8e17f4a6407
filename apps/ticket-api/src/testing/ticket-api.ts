import { randomUUID } from 'node:crypto';
import { DEVELOPMENT_CALLBACK_SECRET, WebhookSigner } from '@malote/http-delivery';
import { type LaneMessage, LaneStore, Operations, Outbox, type Settlement } from '@malote/lanes';
import { type UnitOfWork } from '@malote/persistence';
import { describeEachEngine, type TestEngine } from '@malote/persistence/testing';
import { startTestService, type TestService } from '@malote/service-kit/testing';
import { FunctionalAckOutboxEntity, TicketInterfaceEntity, ticketProcessing } from '@malote/tickets';
import { TICKET_TABLES } from '@malote/tickets/testing';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { service as definition } from '../service.ts';
import { type TicketApiConfig } from '../ticket-api.config.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Signing {
  readonly secret?: string;
  readonly at?: Date;
  /** What is signed, when it is not what is sent. */
  readonly signedBody?: string;
}

type Env = Readonly<Record<string, string>>;
const SCOPES = 'tickets:read tickets:write functional-acks:write';

/** The same tests over HTTP on each engine, against a service that runs from the first to the last of them. */
export function describeTicketApi(name: string, suite: (api: TicketApi) => void, env: Env = {}): void {
  describeEachEngine(name, { entities: [...TICKET_TABLES] }, (engine) => {
    // Inside, so that the service ends before its database goes.
    describe('over HTTP', () => {
      suite(new TicketApi(engine, env));
    });
  });
}

/** A running service, a partner who may do everything with it, the gateway that calls back, and a worker. */
export class TicketApi {
  private running: { service: TestService<TicketApiConfig>; token: string } | undefined;

  constructor(
    readonly engine: TestEngine,
    env: Env,
  ) {
    beforeAll(async () => {
      const service = await startTestService(definition, {
        env: { DATABASE_URL: engine.databaseUrl, ...env },
      });
      this.running = { service, token: await service.token({ scope: SCOPES, ttlSeconds: 3_600 }) };
    });
    afterAll(() => this.running?.service.close());
  }

  get service(): TestService<TicketApiConfig> {
    return this.open.service;
  }

  get uow(): UnitOfWork {
    return this.engine.uow;
  }

  tokenOf(subject: string): Promise<string> {
    return this.service.token({ subject, scope: SCOPES });
  }

  /** A string is sent as it is. */
  post(ticket: unknown, headers: Env = {}): Promise<Answer> {
    return this.send('/api/tickets', ticket, { authorization: `Bearer ${this.open.token}`, ...headers });
  }

  postAck(ack: unknown, headers: Env = {}): Promise<Answer> {
    return this.send('/api/functional-ack', ack, { authorization: `Bearer ${this.open.token}`, ...headers });
  }

  async get(path: string): Promise<Answer> {
    return answerOf(await this.service.fetch(`/api/tickets${path}`, { token: this.open.token }));
  }

  /** As the gateway does, unless told otherwise. */
  callBack(callback: unknown, signing: Signing = {}): Promise<Answer> {
    return this.sendCallback(callback, signedHeaders(textOf(callback), signing));
  }

  sendCallback(callback: unknown, headers: Env): Promise<Answer> {
    return this.send('/api/tickets/callback', callback, headers);
  }

  tickets(): Promise<TicketInterfaceEntity[]> {
    return this.uow.read((tx) => tx.entities.find(TicketInterfaceEntity, { order: { id: 'ASC' } }));
  }

  acks(): Promise<FunctionalAckOutboxEntity[]> {
    return this.uow.read((tx) => tx.entities.find(FunctionalAckOutboxEntity, { order: { id: 'ASC' } }));
  }

  /** What a worker of the dispatcher does first. */
  claim(owner = 'worker#1'): Promise<LaneMessage[]> {
    const request = { targets: [], owner, limit: 100, leaseMs: 60_000 };
    return this.uow.run((tx) => this.lane.claim(tx, request));
  }

  /** And last. */
  async settle(
    messages: readonly LaneMessage[],
    verdict: Settlement['verdict'],
    error: string | null = null,
  ): Promise<void> {
    await this.uow.run((tx) =>
      this.lane.settle(
        tx,
        messages.map((message) => ({ message, verdict, delayMs: 60_000, error, isCertain: true })),
      ),
    );
  }

  replay(): Promise<number> {
    return this.operations.replay(ticketProcessing, {}, { actor: 'maria', reason: 'corrected' });
  }

  discard(): Promise<number> {
    return this.operations.discard(ticketProcessing, {}, { actor: 'maria', reason: 'nobody needs it' });
  }

  private get operations(): Operations {
    return new Operations(this.uow, new Outbox());
  }

  private get lane(): LaneStore {
    return new LaneStore(ticketProcessing, this.uow);
  }

  private get open() {
    if (!this.running) throw new Error('The service runs inside hooks and tests only');
    return this.running;
  }

  private async send(path: string, body: unknown, headers: Env): Promise<Answer> {
    const response = await this.service.fetch(path, {
      method: 'POST',
      body: textOf(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
    return answerOf(response);
  }
}

export function signedHeaders(
  body: string,
  { secret = DEVELOPMENT_CALLBACK_SECRET, at = new Date(), signedBody = body }: Signing = {},
): Record<string, string> {
  return { ...new WebhookSigner([secret]).signedHeaders(`callback-${randomUUID()}`, signedBody, at) };
}

/** Where a refused request is told to look. */
export function pointersOf({ body }: Answer): string[] {
  const errors = (body.errors ?? []) as readonly { readonly pointer: string }[];
  return [...new Set(errors.map(({ pointer }) => pointer))];
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

async function answerOf(response: Response): Promise<Answer> {
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer['body'],
  };
}
