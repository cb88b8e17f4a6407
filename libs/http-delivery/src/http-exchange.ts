import { type Dispatcher } from 'undici';
import { type Exchanged, type HttpAnswer, type Permit } from './exchanged.ts';

export interface ExchangeLimits {
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
}

type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** More than this is only read by whoever wants to keep it. */
const MAX_UNKEPT_BYTES = 128 * 1024;
const NO_BODY = Buffer.alloc(0);

/**
 * TLS 1.3 lets us write before the server has judged our certificate. A server that sends one of these refused it, and
 * so never read the request.
 */
const CERTIFICATE_REFUSED =
  /^ERR_SSL_\w*ALERT_(?:\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)$/;

/**
 * One request over a pool. Everything together has to be over in `timeoutMs`, waiting for a connection included, and no
 * more of an answer is read than a sane one has: a target cannot hold a worker by answering for ever. Handlers of
 * undici's own, since its streams cost more than the rest of a delivery.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  permit: Permit,
  limits: ExchangeLimits,
): Promise<Exchanged> {
  return new Promise((resolve) => {
    if (permit.signal.aborted) {
      resolve({ kind: 'fault', error: leaseLost(), requestSent: false });
      return;
    }
    dispatcher.dispatch(request, new Exchange(resolve, permit, limits));
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  private readonly timer: NodeJS.Timeout;
  /** Set once the request leaves. */
  private controller: Dispatcher.DispatchController | undefined;
  private failure: Error | undefined;
  private status = 0;
  private headers: RawHeaders = {};
  private readonly chunks: Buffer[] = [];
  private receivedBytes = 0;
  private isOver = false;

  constructor(
    private readonly resolve: (exchanged: Exchanged) => void,
    private readonly permit: Permit,
    private readonly limits: ExchangeLimits,
  ) {
    this.timer = setTimeout(onTimeout, limits.timeoutMs, this);
    permit.signal.addEventListener('abort', this);
  }

  /** The signal's event. */
  handleEvent(): void {
    this.cut(leaseLost());
  }

  timeOut(): void {
    this.cut(new DOMException(`no complete answer within ${this.limits.timeoutMs} ms`, 'TimeoutError'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (!this.failure && !this.permit.mayLeave()) {
      this.failure = leaseLost();
    }
    if (this.failure) controller.abort(this.failure);
    else this.controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: RawHeaders): void {
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { maxBodyBytes } = this.limits;
    const room = maxBodyBytes - this.receivedBytes;
    if (room > 0) this.chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.receivedBytes += chunk.length;
    if (this.receivedBytes > Math.max(maxBodyBytes, MAX_UNKEPT_BYTES)) {
      this.cut(new Error('the answer is too long'));
    }
  }

  onResponseEnd(): void {
    this.finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.failure ??= error;
    this.finish();
  }

  private cut(error: Error): void {
    this.failure ??= error;
    this.controller?.abort(error);
    this.finish();
  }

  private finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    this.permit.signal.removeEventListener('abort', this);
    this.resolve(this.status === 0 ? this.fault() : { kind: 'answer', answer: this.answer() });
  }

  private fault(): Exchanged {
    const { failure: error } = this;
    const requestSent = this.controller !== undefined && !isCertificateRefused(error);
    return { kind: 'fault', error, requestSent };
  }

  /** A status that has arrived is the answer, whatever became of the rest. */
  private answer(): HttpAnswer {
    const { chunks } = this;
    return {
      status: this.status,
      headers: isPlain(this.headers) ? this.headers : joined(this.headers),
      body: chunks.length > 1 ? Buffer.concat(chunks) : (chunks[0] ?? NO_BODY),
      isCut: this.failure !== undefined || this.receivedBytes > this.limits.maxBodyBytes,
    };
  }
}

/** Not the signal's own reason: whatever that is, no message dies of a lost lease. */
function leaseLost(): DOMException {
  return new DOMException('the lease was lost', 'AbortError');
}

/** One function for all, where a closure per request would cost. */
function onTimeout(exchange: Exchange): void {
  exchange.timeOut();
}

/** As nearly always: then the object undici made for this answer serves as it is. */
function isPlain(headers: RawHeaders): headers is Readonly<Record<string, string>> {
  for (const name in headers) if (typeof headers[name] !== 'string') return false;
  return true;
}

function joined(headers: RawHeaders): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) plain[name] = [value ?? []].flat().join(', ');
  return plain;
}

function isCertificateRefused(error: Error | undefined): boolean {
  return (
    error !== undefined &&
    'code' in error &&
    typeof error.code === 'string' &&
    CERTIFICATE_REFUSED.test(error.code)
  );
}
