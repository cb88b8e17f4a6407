import type { Caller } from './caller.ts';

const MAX_TOKENS = 5000;
/** Bounds how long a token outlives the withdrawal of its key. */
const MAX_AGE_MS = 300_000;

interface Remembered {
  readonly caller: Caller;
  readonly untilMs: number;
}

/** Checking a signature is the dearest part of a request, and partners send one token thousands of times. */
export class VerifiedTokens {
  private readonly byToken = new Map<string, Remembered>();

  get(token: string, nowMs: number): Caller | undefined {
    const found = this.byToken.get(token);
    if (!found) return undefined;
    this.byToken.delete(token);
    if (found.untilMs <= nowMs) return undefined;
    // Inserted again, it is the youngest: the map's order is the order of use.
    this.byToken.set(token, found);
    return found.caller;
  }

  add(token: string, caller: Caller, nowMs: number): void {
    const untilMs = Math.min(Number(caller.claims.exp) * 1000, nowMs + MAX_AGE_MS);
    this.byToken.set(token, { caller, untilMs });
    if (this.byToken.size <= MAX_TOKENS) return;
    const [oldest] = this.byToken.keys();
    if (oldest !== undefined) this.byToken.delete(oldest);
  }

  get size(): number {
    return this.byToken.size;
  }
}
