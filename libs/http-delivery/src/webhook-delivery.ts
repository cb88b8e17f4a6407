import { type Outcome } from '@malote/retry-policy';
import { type HttpDelivery, type SendOptions } from './http-delivery.ts';
import { type HttpAnswer, type Permit } from './exchanged.ts';
import { QUOTED_BYTES } from './judge-delivery.ts';
import { RecentlyUsed } from './recently-used.ts';
import { WebhookSigner } from './webhook-signature.ts';

export interface Webhook {
  /** The same for every attempt: the target knows by it what it has. */
  readonly messageKey: string;
  readonly traceParent: string | null;
  readonly url: string;
  /** JSON. */
  readonly body: string;
  /** The target's own, in base64 with or without `whsec_`; two while they rotate. */
  readonly secrets: readonly string[];
}

const MAX_SIGNERS = 1_000;

/** Posts signed messages, each with its target's secrets. Of an answer only as much is kept as a failure quotes. */
export class WebhookDelivery {
  private readonly signers = new RecentlyUsed<string, WebhookSigner>(MAX_SIGNERS);

  constructor(private readonly http: HttpDelivery) {}

  async post(webhook: Webhook, permit: Permit, options?: SendOptions): Promise<Outcome<HttpAnswer>> {
    const { messageKey, traceParent, url, body, secrets } = webhook;
    let signer: WebhookSigner;
    try {
      signer = this.signerOf(secrets);
    } catch (error) {
      // Somebody has to correct the target's configuration; its messages wait for that.
      return { kind: 'failed', blame: 'target', reason: String(error), final: false, processed: 'no' };
    }
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'idempotency-key': messageKey,
      ...signer.signedHeaders(messageKey, body, new Date()),
    };
    if (traceParent) headers.traceparent = traceParent;
    return this.http.send({ method: 'POST', url, headers, body }, permit, {
      maxBodyBytes: QUOTED_BYTES,
      ...options,
    });
  }

  private signerOf(secrets: readonly string[]): WebhookSigner {
    const key = secrets.join(' ');
    const known = this.signers.get(key);
    if (known) return known;
    const signer = new WebhookSigner(secrets);
    this.signers.set(key, signer);
    return signer;
  }
}
