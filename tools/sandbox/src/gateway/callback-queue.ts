import { WebhookSigner } from '@malote/http-delivery';
import { backoffMs } from '@malote/retry-policy';
import { type Log } from '@malote/service-kit';
import { Pool } from 'undici';
import { type CallbackProgress, type LedgerEntry } from '../ledger.ts';
import { type Callback } from './callback-plan.ts';

/** A callback and the entry that tells what becomes of it. */
export interface TrackedCallback {
  readonly callback: Callback;
  readonly entry: LedgerEntry;
  readonly progress: CallbackProgress;
}

export interface CallbackTarget {
  readonly url: string;
  readonly secret: string;
}

const CONNECTIONS = 64;
const TIMEOUT_MS = 10_000;
const KEPT_ANSWERS = 10;
const RETRY = { maxAttempts: Infinity, baseMs: 200, factor: 2, capMs: 10_000 };
/** Request Timeout, Too Early, Too Many Requests: the only 4xx that may change by themselves. */
const PASSING = [408, 425, 429];

/** Sends callbacks, those of one ticket one after the other, and each until it gets through or is turned away. */
export class CallbackQueue {
  private readonly pool: Pool;
  private readonly path: string;
  private readonly signer: WebhookSigner;
  private readonly timers = new Set<NodeJS.Timeout>();
  private due: (() => Promise<void>)[] = [];
  private sending = 0;
  /** Raised when everything is dropped: what was under way then belongs to the past. */
  private generation = 0;

  constructor(
    { url, secret }: CallbackTarget,
    private readonly log: Log,
  ) {
    const { origin, pathname, search } = new URL(url);
    this.pool = new Pool(origin, {
      connections: CONNECTIONS,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    this.path = `${pathname}${search}`;
    this.signer = new WebhookSigner([secret]);
  }

  send([next, ...rest]: readonly TrackedCallback[]): void {
    if (!next) return;
    this.later(next.callback.delayMs, () => this.attempt(next, rest));
  }

  drop(): void {
    this.generation++;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    this.due = [];
  }

  async close(): Promise<void> {
    this.drop();
    await this.pool.destroy();
  }

  private later(delayMs: number, work: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.due.push(work);
      this.startDue();
    }, delayMs);
    this.timers.add(timer);
  }

  /** No more at a time than there are connections: one that waited for a free one would leave with an old signature. */
  private startDue(): void {
    while (this.sending < CONNECTIONS) {
      const work = this.due.shift();
      if (!work) return;
      this.sending++;
      void work().finally(() => {
        this.sending--;
        this.startDue();
      });
    }
  }

  private async attempt(tracked: TrackedCallback, rest: readonly TrackedCallback[]): Promise<void> {
    const { generation } = this;
    const answer = await this.post(tracked.callback);
    if (generation !== this.generation) return;

    const { entry, progress } = tracked;
    progress.attempts++;
    progress.answers.push(answer);
    if (progress.answers.length > KEPT_ANSWERS) progress.answers.shift();
    if (mayChange(answer)) {
      this.later(backoffMs(RETRY, progress.attempts), () => this.attempt(tracked, rest));
      return;
    }
    progress.settledAt = new Date().toISOString();
    entry.decision = isSuccess(answer) ? 'delivered' : 'given-up';
    if (entry.decision === 'given-up') {
      entry.reason = `answered-${answer}`;
      this.log.warn('callback given up', { webhookId: progress.webhookId, answer });
    }
    this.send(rest);
  }

  /** The status that came back, or the name of what went wrong. */
  private async post({ webhookId, body }: Callback): Promise<number | string> {
    const signature = this.signer.signedHeaders(webhookId, body, new Date());
    const headers = { 'content-type': 'application/json', ...signature };
    try {
      const answer = await this.pool.request({ method: 'POST', path: this.path, headers, body });
      await answer.body.dump();
      return answer.statusCode;
    } catch (error) {
      const { code, name } = error as NodeJS.ErrnoException;
      return code ?? name;
    }
  }
}

function isSuccess(answer: number | string): boolean {
  return typeof answer === 'number' && answer >= 200 && answer < 300;
}

function mayChange(answer: number | string): boolean {
  if (typeof answer === 'string' || PASSING.includes(answer)) return true;
  return !isSuccess(answer) && (answer < 400 || answer >= 500);
}
