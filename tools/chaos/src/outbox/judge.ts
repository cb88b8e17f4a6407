import { digestOf, parseKey, payloadOf } from './message.ts';

/** One request the sink accepted; the ledger holds them in the order of acceptance. */
export interface Acceptance {
  readonly key: string;
  readonly digest: string;
  /** Milliseconds on the machine's monotonic clock. */
  readonly arrivedAt: number;
}

export interface Evidence {
  /** Message keys whose enqueue committed. */
  readonly enqueued: ReadonlySet<string>;
  readonly ledger: readonly Acceptance[];
  /** Message keys as the settling transactions recorded them, once per accepted settle. */
  readonly settled: readonly string[];
}

export interface Judgement {
  readonly lost: number;
  readonly invented: number;
  readonly unsettled: number;
  readonly settledTwice: number;
  readonly reordered: number;
  readonly altered: number;
  readonly duplicates: number;
  /** Duplicates that came after a later message of their key: a receiver has to know them by their key. */
  readonly lateRepeats: number;
}

/** What at-least-once delivery allows. */
const ALLOWED = ['duplicates', 'lateRepeats'];

/** The sink's ledger is the judge: what it accepted counts, not what the workers believe. */
export function judge({ enqueued, ledger, settled }: Evidence): Judgement {
  const accepted = new Set<string>();
  const newest = new Map<string, number>();
  let reordered = 0;
  let altered = 0;
  let lateRepeats = 0;
  for (const { key, digest } of ledger) {
    const message = parseKey(key);
    if (digest !== digestOf(payloadOf(message))) altered += 1;
    if (accepted.has(key)) {
      if (message.sequence < (newest.get(message.orderKey) ?? -1)) lateRepeats += 1;
      continue;
    }
    accepted.add(key);
    // Nothing may overtake: the first acceptance of a message follows that of the one before it.
    if (message.sequence !== (newest.get(message.orderKey) ?? -1) + 1) reordered += 1;
    newest.set(message.orderKey, Math.max(message.sequence, newest.get(message.orderKey) ?? -1));
  }
  const settledOnce = new Set(settled);
  return {
    lost: count(enqueued, (key) => !accepted.has(key)),
    invented: count(accepted, (key) => !enqueued.has(key)),
    unsettled: count(enqueued, (key) => !settledOnce.has(key)),
    settledTwice: settled.length - settledOnce.size,
    reordered,
    altered,
    duplicates: ledger.length - accepted.size,
    lateRepeats,
  };
}

export function broken(judgement: Judgement): boolean {
  return Object.entries(judgement).some(([name, cases]) => !ALLOWED.includes(name) && cases > 0);
}

function count(keys: Iterable<string>, matches: (key: string) => boolean): number {
  let found = 0;
  for (const key of keys) if (matches(key)) found += 1;
  return found;
}
