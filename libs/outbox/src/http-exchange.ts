import type { Dispatcher } from 'undici';

export type Exchanged =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** The beginning of the body, for whoever reads the error later. */
      readonly excerpt: string;
    }
  | { readonly kind: 'fault'; readonly error: unknown; readonly requestSent: boolean };

export interface Posted {
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: string;
}

const EXCERPT_CHARS = 300;
const EXCERPT_BYTES = 4 * EXCERPT_CHARS;
const MAX_ANSWER_BYTES = 128 * 1024;

/**
 * One POST over a pool. Everything together has to be over in `timeoutMs`, waiting for a connection included, and no
 * more of an answer is read than a sane one has: a partner cannot hold a worker by answering for ever. Handlers of
 * undici's own, since its streams cost more than the rest of a delivery.
 */
export function exchange(
  dispatcher: Dispatcher,
  { path, headers, body }: Posted,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Exchanged> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve({ kind: 'fault', error: signal.reason, requestSent: false });
      return;
    }
    const handler = new Exchange(resolve, timeoutMs, signal);
    dispatcher.dispatch({ method: 'POST', path, headers, body, headersTimeout: 0, bodyTimeout: 0 }, handler);
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  private readonly timer: NodeJS.Timeout;
  private controller: Dispatcher.DispatchController | undefined;
  private failure: Error | undefined;
  private status = 0;
  private retryAfter: string | undefined;
  private readonly excerpt: Buffer[] = [];
  private receivedBytes = 0;

  constructor(
    private readonly resolve: (exchanged: Exchanged) => void,
    timeoutMs: number,
    private readonly signal: AbortSignal,
  ) {
    this.timer = setTimeout(() => {
      this.cut(new DOMException(`no complete answer within ${timeoutMs} ms`, 'TimeoutError'));
    }, timeoutMs);
    signal.addEventListener('abort', this.onAbort);
  }

  /** Called when a connection is free, just before the first byte leaves. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.failure) controller.abort(this.failure);
    else this.controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    const retryAfter = headers['retry-after'];
    this.status = status;
    this.retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.receivedBytes < EXCERPT_BYTES) this.excerpt.push(chunk.subarray(0, EXCERPT_BYTES));
    this.receivedBytes += chunk.length;
    if (this.receivedBytes > MAX_ANSWER_BYTES) this.cut(new Error('the answer is too long'));
  }

  onResponseEnd(): void {
    this.finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.failure ??= error;
    this.finish();
  }

  private readonly onAbort = (): void => {
    this.cut(new DOMException('the lease was lost', 'AbortError'));
  };

  private cut(error: Error): void {
    this.failure ??= error;
    this.controller?.abort(error);
    this.finish();
  }

  /** A status that has arrived is the answer, whatever became of the rest. */
  private finish(): void {
    clearTimeout(this.timer);
    this.signal.removeEventListener('abort', this.onAbort);
    if (this.status === 0) {
      this.resolve({ kind: 'fault', error: this.failure, requestSent: this.controller !== undefined });
      return;
    }
    const excerpt = Buffer.concat(this.excerpt).toString('utf8').slice(0, EXCERPT_CHARS);
    this.resolve({ kind: 'answer', status: this.status, retryAfter: this.retryAfter, excerpt });
  }
}
