import { createHash } from 'node:crypto';
import { networkOf } from './network-address.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const FIRST_DELAY_MS = SECOND_MS;

/** Who has logged in from a place knows the password there for this long. */
export const TRUST_MS = 30 * DAY_MS;

interface ThrottleRule {
  readonly freeFailures: number;
  readonly maxDelayMs: number;
  /** After this long without a failure, all are forgotten. */
  readonly forgetAfterMs: number;
}

/**
 * An account's delay stays short: whoever knows an e-mail address could lock its owner out otherwise. An address forgets soon: a
 * whole office shares one, and its typing errors must not add up from day to day.
 */
const RULES = {
  account: { freeFailures: 20, maxDelayMs: MINUTE_MS, forgetAfterMs: DAY_MS },
  address: { freeFailures: 30, maxDelayMs: 15 * MINUTE_MS, forgetAfterMs: HOUR_MS },
  pair: { freeFailures: 5, maxDelayMs: 15 * MINUTE_MS, forgetAfterMs: DAY_MS },
  change: { freeFailures: 5, maxDelayMs: 15 * MINUTE_MS, forgetAfterMs: DAY_MS },
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

export function failuresAfter({ kind, failures, lastFailureAt }: Counter, now: Date): number {
  const { forgetAfterMs } = RULES[kind];
  const isForgotten = lastFailureAt !== null && now.getTime() - lastFailureAt.getTime() > forgetAfterMs;
  return isForgotten ? 1 : failures + 1;
}

/** How long nobody may try after this many failures. */
export function delayAfter(kind: ThrottleKind, failures: number): number {
  const { freeFailures, maxDelayMs } = RULES[kind];
  const excess = failures - freeFailures;
  return excess <= 0 ? 0 : Math.min(maxDelayMs, FIRST_DELAY_MS * 2 ** (excess - 1));
}

/** How long to wait before the next try; 0 when it may be made now. Who is known here does not wait for what strangers did. */
export function waitMs(counters: readonly Counter[], now: Date): number {
  const isTrusted = counters.some((counter) => counter.kind === 'pair' && isRecent(counter, now));
  const asked = isTrusted ? counters.filter(({ kind }) => kind === 'pair') : counters;
  const waits = asked.map(({ blockedUntil }) => (blockedUntil?.getTime() ?? 0) - now.getTime());
  return Math.max(0, ...waits);
}

function isRecent({ lastSuccessAt }: Counter, now: Date): boolean {
  return lastSuccessAt !== null && now.getTime() - lastSuccessAt.getTime() <= TRUST_MS;
}

function keyOf(kind: ThrottleKind, text: string): ThrottleKey {
  return { kind, key: createHash('sha256').update(`${kind}|${text}`).digest('hex') };
}
