import { luckOf } from '../seeded-random.ts';

/** What the sink does to one request. */
export interface Fate {
  readonly name: string;
  /** When the message goes into the ledger; `late`: after a stall that outlasts the sender's patience. */
  readonly accepts: 'at once' | 'late' | 'never';
  readonly stalls: boolean;
  /** What becomes of the answer: one with this status, half of one, or none. */
  readonly answer: number | 'half' | 'reset';
  readonly retryAfter: string | undefined;
}

export const ACCEPT: Fate = {
  name: 'accept',
  accepts: 'at once',
  stalls: false,
  answer: 200,
  retryAfter: undefined,
};
const REFUSE: Fate = { ...ACCEPT, accepts: 'never' };

/** The sink's own trouble, while the network is fine. */
export const OUTAGE: Fate = { ...REFUSE, name: 'outage', answer: 503 };
/** The same where it can be asked: nobody knows what became of anything. */
export const GONE: Fate = { ...REFUSE, name: 'outage', answer: 'reset' };

type Fates = readonly (readonly [share: number, fate: Fate])[];

/** Shares of all requests. A `Retry-After` of a second stops everybody for one, so it must be rare. */
const IMPATIENCE: Fates = [
  [0.005, { ...REFUSE, name: '429 after 0', answer: 429, retryAfter: '0' }],
  [0.000_3, { ...REFUSE, name: '429 after 1', answer: 429, retryAfter: '1' }],
];

const DELIVERIES: Fates = [
  ...IMPATIENCE,
  [0.02, { ...REFUSE, name: '500', answer: 500 }],
  [0.01, { ...REFUSE, name: '503', answer: 503 }],
  [0.002, { ...ACCEPT, name: 'accept late', accepts: 'late', stalls: true }],
  [0.001, { ...REFUSE, name: 'stall and refuse', stalls: true, answer: 500 }],
  [0.005, { ...REFUSE, name: 'reset', answer: 'reset' }],
  [0.005, { ...ACCEPT, name: 'accept and reset', answer: 'reset' }],
];

/** More that leaves the sender in doubt; what the sink does not have in the end costs each sender a long silence, so it is rarer. */
const DOUBTFUL_DELIVERIES: Fates = [
  ...IMPATIENCE,
  [0.01, { ...REFUSE, name: '422', answer: 422 }],
  [0.002, { ...REFUSE, name: '500', answer: 500 }],
  [0.002, { ...REFUSE, name: '503', answer: 503 }],
  [0.002, { ...REFUSE, name: 'reset', answer: 'reset' }],
  [0.001, { ...REFUSE, name: 'stall and refuse', stalls: true, answer: 500 }],
  [0.01, { ...ACCEPT, name: 'accept and 500', answer: 500 }],
  [0.01, { ...ACCEPT, name: 'accept and 503', answer: 503 }],
  [0.01, { ...ACCEPT, name: 'accept and reset', answer: 'reset' }],
  [0.005, { ...ACCEPT, name: 'accept and half an answer', answer: 'half' }],
  [0.003, { ...ACCEPT, name: 'accept and stall', stalls: true }],
  [0.005, { ...ACCEPT, name: 'accept late', accepts: 'late', stalls: true }],
  [0.002, { ...ACCEPT, name: 'accept late and reset', accepts: 'late', stalls: true, answer: 'reset' }],
];

const QUESTIONS: Fates = [
  ...IMPATIENCE,
  [0.05, { ...REFUSE, name: 'question 500', answer: 500 }],
  [0.03, { ...REFUSE, name: 'question 503', answer: 503 }],
  [0.03, { ...REFUSE, name: 'question reset', answer: 'reset' }],
  [0.02, { ...REFUSE, name: 'question stalled', stalls: true, answer: 'reset' }],
  [0.02, { ...REFUSE, name: 'question half answered', answer: 'half' }],
];

export interface Fortune {
  readonly seed: number;
  readonly isAskable: boolean;
}

/** Depends on the seed, the message and how often it has come; never on the interleaving of processes. */
export function fateOf({ seed, isAskable }: Fortune, key: string, arrival: number): Fate {
  const fates = isAskable ? DOUBTFUL_DELIVERIES : DELIVERIES;
  return drawn(fates, luckOf(seed, `${key}#${arrival}`));
}

/** Of a question about a message; `ACCEPT` is an honest answer. */
export function fateOfQuestion({ seed }: Fortune, key: string, arrival: number): Fate {
  return drawn(QUESTIONS, luckOf(seed, `${key}?${arrival}`));
}

/** Whether the sender of an accepted message cannot know that it was accepted. */
export function hidesAcceptance({ accepts, stalls, answer }: Fate): boolean {
  return accepts !== 'never' && (stalls || answer !== 200);
}

function drawn(fates: Fates, luck: number): Fate {
  let left = luck;
  for (const [share, fate] of fates) {
    if (left < share) return fate;
    left -= share;
  }
  return ACCEPT;
}
