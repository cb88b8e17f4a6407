import { createHash } from 'node:crypto';

export const SECRET = `whsec_${Buffer.alloc(32, 11).toString('base64')}`;

/** The nth message of an order key, counted from 0. */
export interface ChaosMessage {
  readonly orderKey: string;
  readonly sequence: number;
}

export function keyOf({ orderKey, sequence }: ChaosMessage): string {
  return `${orderKey}/${sequence}`;
}

export function parseKey(key: string): ChaosMessage {
  const [orderKey = '', sequence = ''] = key.split('/');
  return { orderKey, sequence: Number(sequence) };
}

export function payloadOf(message: ChaosMessage): string {
  return JSON.stringify({ ...message, filler: 'x'.repeat(200) });
}

export function digestOf(body: string): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 16);
}
