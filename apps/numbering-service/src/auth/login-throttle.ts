import { createHash } from 'node:crypto';
import { networkOf } from './network-address.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const FIRST_DELAY_MS = SECOND_MS;

/** Failures older than this are forgotten. */
const FORGET_AFTER_MS = DAY_MS;
/** Who has logged in from a place knows the password there for this long. */
export const TRUST_MS = 30 * DAY_MS;

interface ThrottleRule {
  readonly freeFailures: number;
  readonly maxDelayMs: number;
}

/** An account's delay stays short: whoever knows an e-mail address could lock its owner out otherwise. */
const RULES = {
  account: { freeFailures: 20, maxDelayMs: MINUTE_MS },
  address: { freeFailures: 30, maxDelayMs: 15 * MINUTE_MS },
  pair: { freeFailures: 5, maxDelayMs: 15 * MINUTE_MS },
  change: { freeFailures: 5, maxDelayMs: 15 * MINUTE_MS },
} as const satisfies Record<string, ThrottleRule>;

export type ThrottleKind = keyof typeof RULES;

/** What failures are counted by. */
export interface ThrottleKey {
  readonly kind: ThrottleKind;
  /** A hash: the table names nobody. */
  readonly key: string;
}

export interface Counter extends ThrottleKey {
  readonly failures: number;
  readonly lastFailureAt: Date | null;
  readonly blockedUntil: Date | null;
  readonly lastSuccessAt: Date | null;
}

/** Always in this order, so that two logins never wait for each other in a circle. */
export function loginKeys(email: string, address: string): ThrottleKey[] {
  const network = networkOf(address);
  return [keyOf('account', email), keyOf('address', network), keyOf('pair', `${email}|${network}`)];
}

export function changeKey(userId: string): ThrottleKey {
  return keyOf('change', userId);
}

export function failuresAfter({ failures, lastFailureAt }: Counter, now: Date): number {
  const isForgotten = lastFailureAt !== null && now.getTime() - lastFailureAt.getTime() > FORGET_AFTER_MS;
  return isForgotten ? 1 : failures + 1;
}

/** How long nobody may try after this many failures. */
export function delayAfter(kind: ThrottleKind, failures: number): number {
  const { freeFailures, maxDelayMs } = RULES[kind];
  const excess = failures - freeFailures;
  return excess <= 0 ? 0 : Math.min(maxDelayMs, FIRST_DELAY_MS * 2 ** (excess - 1));
}

/** How long to wait before the next try; 0 when it may be made now. */
export function waitMs(counters: readonly Counter[], now: Date): number {
  const isTrusted = counters.some((counter) => counter.kind === 'pair' && isRecent(counter, now));
  const asked = counters.filter(({ kind }) => kind !== 'account' || !isTrusted);
  const waits = asked.map(({ blockedUntil }) => (blockedUntil?.getTime() ?? 0) - now.getTime());
  return Math.max(0, ...waits);
}

function isRecent({ lastSuccessAt }: Counter, now: Date): boolean {
  return lastSuccessAt !== null && now.getTime() - lastSuccessAt.getTime() <= TRUST_MS;
}

function keyOf(kind: ThrottleKind, text: string): ThrottleKey {
  return { kind, key: createHash('sha256').update(`${kind}|${text}`).digest('hex') };
}
