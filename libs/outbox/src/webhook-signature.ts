import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/** Signs as Standard Webhooks says: `id.timestamp.body`, HMAC-SHA256, one signature per secret so that keys can rotate. */
export class WebhookSigner {
  private readonly keys: Buffer[];

  constructor(secrets: readonly string[]) {
    this.keys = secrets.map(parseSecret);
  }

  /** Names and values in turn. */
  headers(id: string, body: string, now: Date): string[] {
    const timestamp = String(Math.floor(now.getTime() / 1000));
    const signatures = this.keys.map(
      (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
    );
    return ['webhook-id', id, 'webhook-timestamp', timestamp, 'webhook-signature', signatures.join(' ')];
  }
}

function parseSecret(secret: string): Buffer {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '', 'base64');
  if (key.length < 24 || key.length > 64)
    throw new Error('A webhook secret is whsec_ and 24 to 64 bytes in base64');
  return key;
}
