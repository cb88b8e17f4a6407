import { digestOf, parseKey, payloadOf } from './message.ts';

/** One request the sink accepted; the ledger holds them in the order of acceptance. */
export interface Acceptance {
  readonly key: string;
  readonly digest: string;
  /** Another one for each acceptance. */
  readonly receipt: string;
}

/** What a settling transaction recorded. */
export interface Settled {
  readonly key: string;
  readonly receipt: string | null;
}

export interface Evidence {
  /** Message keys whose enqueue committed. */
  readonly enqueued: ReadonlySet<string>;
  readonly ledger: readonly Acceptance[];
  /** Once per accepted settle. */
  readonly settled: readonly Settled[];
}

/** What must never be, and how often it was. */
export interface Violations {
  readonly lost: number;
  readonly invented: number;
  readonly unsettled: number;
  readonly settledTwice: number;
  readonly reordered: number;
  readonly altered: number;
  /** Settled without a receipt the sink has given for that message. */
  readonly receiptsMissing: number;
}

export interface Judgement {
  readonly violations: Violations;
  /** Messages the sink accepted again. */
  readonly duplicates: number;
  /** Duplicates that came after a later message of their key: a receiver has to know them by their key. */
  readonly lateRepeats: number;
}

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
  const settledOnce = new Set(settled.map(({ key }) => key));
  const given = new Set(ledger.map(({ key, receipt }) => `${key} ${receipt}`));
  return {
    violations: {
      lost: count(enqueued, (key) => !accepted.has(key)),
      invented: count(accepted, (key) => !enqueued.has(key)),
      unsettled: count(enqueued, (key) => !settledOnce.has(key)),
      settledTwice: settled.length - settledOnce.size,
      reordered,
      altered,
      receiptsMissing: count(settled, ({ key, receipt }) => !given.has(`${key} ${receipt ?? ''}`)),
    },
    duplicates: ledger.length - accepted.size,
    lateRepeats,
  };
}

export function broken(violations: Violations): boolean {
  return Object.values(violations).some((cases: number) => cases > 0);
}

function count<T>(things: Iterable<T>, matches: (thing: T) => boolean): number {
  let found = 0;
  for (const thing of things) if (matches(thing)) found += 1;
  return found;
}
