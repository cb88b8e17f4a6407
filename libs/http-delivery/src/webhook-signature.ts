import { createHmac, timingSafeEqual } from 'node:crypto';

const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const VERSION = 'v1,';
const TOLERANCE_SECONDS = 5 * 60;

export interface SignedHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/** Signs as Standard Webhooks says: `id.timestamp.body`, HMAC-SHA256, one signature per secret so that keys can rotate. */
export class WebhookSigner {
  private readonly keys: readonly Buffer[];

  constructor(secrets: readonly string[]) {
    if (secrets.length === 0)
      throw new Error('A webhook is signed with at least one secret, and none is given');
    this.keys = secrets.map(parseSecret);
  }

  signedHeaders(id: string, body: string, now: Date): SignedHeaders {
    const timestamp = String(secondsOf(now));
    const signatures = this.keys.map((key) => sign(key, id, timestamp, body));
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
  }
}

/** Whether a webhook is signed with one of the secrets, over the bytes as they came, within five minutes of now. */
export class WebhookVerifier {
  private readonly keys: readonly Buffer[];

  constructor(secrets: readonly string[]) {
    this.keys = secrets.map(parseSecret);
  }

  /** The first three are header values; one that is missing fails. */
  verify(
    id: string | undefined,
    timestamp: string | undefined,
    signatureHeader: string | undefined,
    rawBody: Buffer | string,
    now: Date,
  ): boolean {
    if (!id || !timestamp || !signatureHeader || !isRecent(timestamp, now)) return false;
    const expected = this.keys.map((key) => Buffer.from(sign(key, id, timestamp, rawBody)));
    return signatureHeader
      .split(' ')
      .filter((signature) => signature.startsWith(VERSION))
      .map((signature) => Buffer.from(signature))
      .some((given) => expected.some((own) => given.length === own.length && timingSafeEqual(given, own)));
  }
}

function sign(key: Buffer, id: string, timestamp: string, body: Buffer | string): string {
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
  return `${VERSION}${hmac.digest('base64')}`;
}

function isRecent(timestamp: string, now: Date): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(secondsOf(now) - Number(timestamp)) <= TOLERANCE_SECONDS;
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

/** Whether a text is a secret that can sign, for whoever takes it from a configuration. */
export function isWebhookSecret(text: string): boolean {
  try {
    return text.startsWith(PREFIX) && parseSecret(text).length > 0;
  } catch {
    return false;
  }
}

/** Some issuers hand out the key without its prefix. */
function parseSecret(secret: string): Buffer {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  const key = Buffer.from(BASE64.test(text) ? text : '', 'base64');
  if (key.length < 24 || key.length > 64)
    throw new Error('A webhook secret is 24 to 64 bytes in base64, with or without whsec_ before them');
  return key;
}
