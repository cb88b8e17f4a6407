import { createHash } from 'node:crypto';
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
  private readonly byDigest = new Map<string, Remembered>();

  get(token: string, nowMs: number): Caller | undefined {
    const digest = digestOf(token);
    const found = this.byDigest.get(digest);
    if (!found) return undefined;
    this.byDigest.delete(digest);
    if (found.untilMs <= nowMs) return undefined;
    // Inserted again, it is the youngest: the map's order is the order of use.
    this.byDigest.set(digest, found);
    return found.caller;
  }

  add(token: string, caller: Caller, nowMs: number): void {
    const untilMs = Math.min(Number(caller.claims.exp) * 1000, nowMs + MAX_AGE_MS);
    this.byDigest.set(digestOf(token), { caller, untilMs });
    if (this.byDigest.size <= MAX_TOKENS) return;
    const [oldest] = this.byDigest.keys();
    if (oldest !== undefined) this.byDigest.delete(oldest);
  }

  get size(): number {
    return this.byDigest.size;
  }
}

/** Digests, so that neither a heap dump nor a comparison gives a token away. */
function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
