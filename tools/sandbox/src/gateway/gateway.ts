import { WebhookVerifier } from '@malote/http-delivery';
import { type Log } from '@malote/service-kit';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { give } from '../answer.ts';
import { FaultDial } from '../faults/fault-dial.ts';
import { Luck } from '../faults/luck.ts';
import { serve, type Verdict, wait } from '../faults/serve.ts';
import { type Ledger, type LedgerEntry } from '../ledger.ts';
import { type Peer } from '../peer.ts';
import { type SandboxConfig } from '../sandbox.config.ts';
import { planCallbacks } from './callback-plan.ts';
import { CallbackQueue } from './callback-queue.ts';
import { GATEWAY_FAULTS, type GatewayFaults } from './gateway-faults.ts';
import { GatewayMemory } from './gateway-memory.ts';
import { documentOf, type Letter, type LetterKind, readLetter } from './letter.ts';
import { isSigned, keyOf } from './letter-headers.ts';
import { refused } from './verdicts.ts';

const PATHS = [
  ['ack', '/functional-ack/v3'],
  ['return', '/ticket-return'],
  ['ticket', '/tickets'],
] as const;
const NO_BODY = Buffer.alloc(0);

/** Takes functional ACKs, ticket returns and shipment tickets, and calls back about the tickets. */
export class Gateway implements Peer {
  readonly name = 'gateway';
  readonly kinds = ['ack', 'return', 'ticket', 'callback'];
  readonly addresses = PATHS.map(([, path]) => `POST   /gateway${path}`);
  readonly dial = new FaultDial(GATEWAY_FAULTS);
  private readonly memory = new GatewayMemory();
  private readonly verifier: WebhookVerifier;
  private readonly callbacks: CallbackQueue;

  constructor(
    { outboxSigningSecrets, callbackUrl, gatewayCallbackSecret }: SandboxConfig,
    private readonly ledger: Ledger,
    log: Log,
  ) {
    this.verifier = new WebhookVerifier(outboxSigningSecrets);
    this.callbacks = new CallbackQueue({ url: callbackUrl, secret: gatewayCallbackSecret }, log);
  }

  addRoutes(server: FastifyInstance): void {
    // Signatures are over the bytes as they came.
    server.removeAllContentTypeParsers();
    server.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => {
      done(null, body);
    });
    for (const [kind, path] of PATHS) {
      server.post<{ Body: Buffer | undefined }>(path, {
        onRequest: (request, reply, done) => {
          if (this.dial.faults.down) this.resetAtOnce(kind, request, reply);
          else done();
        },
        handler: (request, reply) => this.receive(kind, request, request.body ?? NO_BODY, reply),
      });
    }
  }

  forget(): void {
    this.memory.forget();
    this.callbacks.drop();
  }

  async close(): Promise<void> {
    await this.callbacks.close();
  }

  /** Counts as no attempt: how often somebody knocks while nobody is there must not change the luck of later ones. */
  private resetAtOnce(kind: LetterKind, request: FastifyRequest, reply: FastifyReply): void {
    this.ledger.add({
      peer: this.name,
      kind,
      idempotencyKey: keyOf(request),
      decision: 'fault',
      fault: 'down',
      status: null,
    });
    give(reply, 'reset');
  }

  private async receive(
    kind: LetterKind,
    request: FastifyRequest,
    body: Buffer,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { faults } = this.dial;
    const key = keyOf(request);
    const attempt = this.memory.countAttempt(key ?? '');
    const luck = new Luck(faults.seed, key ?? '', attempt);
    await wait(luck.between('latencyMs', faults.latencyMs));

    const letter = readLetter(kind, body);
    const about = {
      peer: this.name,
      kind,
      ...letter.fields,
      idempotencyKey: key,
      bodyDigest: letter.digest,
      attempt,
    };
    return serve({ faults, luck, ledger: this.ledger, about, reply }, () => {
      if (!isSigned(request, body, this.verifier)) return refused('bad-signature');
      return key === undefined ? refused('no-idempotency-key') : this.judge(key, letter, faults);
    });
  }

  private judge(key: string, letter: Letter, faults: GatewayFaults): Verdict {
    const verdict = this.memory.judge(key, letter);
    if (letter.kind !== 'ticket' || verdict.decision !== 'accepted') return verdict;
    return {
      ...verdict,
      afterwards: (ticket) => {
        this.callBack(key, letter, ticket, faults);
      },
    };
  }

  /** Callbacks are in the ledger from the beginning, so that a reader sees what is still to come. */
  private callBack(key: string, letter: Letter, { time }: LedgerEntry, faults: GatewayFaults): void {
    const ticket = documentOf(letter);
    if (!ticket) return;
    const planned = planCallbacks(ticket, key, faults, new Date(time));
    const tracked = planned.map((callback) => {
      const { webhookId, status, isRepeated } = callback;
      const progress = { webhookId, status, attempts: 0, answers: [] };
      const entry = this.ledger.add({
        peer: this.name,
        kind: 'callback',
        ...ticket,
        idempotencyKey: key,
        decision: 'pending',
        ...(isRepeated && { fault: 'duplicateCallbacks' }),
        callback: progress,
      });
      return { callback, entry, progress };
    });
    this.callbacks.send(tracked);
  }
}
