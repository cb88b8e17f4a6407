import { luckOf } from '../seeded-random.ts';

/** What the sink does to one request. */
export interface Fate {
  readonly name: string;
  readonly status: number;
  readonly accepts: boolean;
  readonly retryAfter: string | undefined;
  readonly stalls: boolean;
  readonly resets: boolean;
}

export const ACCEPT: Fate = {
  name: 'accept',
  status: 204,
  accepts: true,
  retryAfter: undefined,
  stalls: false,
  resets: false,
};

export const OUTAGE: Fate = { ...ACCEPT, name: 'outage', status: 503, accepts: false };

/** Shares of all requests. A `Retry-After` of a second stops everybody for one, so it must be rare. */
const fates: readonly (readonly [share: number, fate: Fate])[] = [
  [0.02, { ...ACCEPT, name: '500', status: 500, accepts: false }],
  [0.01, { ...ACCEPT, name: '503', status: 503, accepts: false }],
  [0.005, { ...ACCEPT, name: '429 after 0', status: 429, accepts: false, retryAfter: '0' }],
  [0.000_3, { ...ACCEPT, name: '429 after 1', status: 429, accepts: false, retryAfter: '1' }],
  [0.002, { ...ACCEPT, name: 'stall', stalls: true }],
  [0.001, { ...ACCEPT, name: 'stall and refuse', status: 500, accepts: false, stalls: true }],
  [0.005, { ...ACCEPT, name: 'reset', accepts: false, resets: true }],
  [0.005, { ...ACCEPT, name: 'accept and reset', resets: true }],
];

/** Depends on the seed, the message and how often it has come; never on the interleaving of processes. */
export function fateOf(seed: number, key: string, arrival: number): Fate {
  let luck = luckOf(seed, `${key}#${arrival}`);
  for (const [share, fate] of fates) {
    if (luck < share) return fate;
    luck -= share;
  }
  return ACCEPT;
}
