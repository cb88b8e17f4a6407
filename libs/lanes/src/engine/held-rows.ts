import { type LaneMessage } from '../lane/lane.ts';
import { type Lease } from './lane-handler.ts';

/** The bytes must leave while the row is ours: nothing is begun in the last part of a lease. */
const LEASE_MARGIN = 0.1;

/** A claimed row this worker answers for. */
export class Held implements Lease {
  /** While its delivery is under way: since when, and what gives it up. */
  attempt: { readonly begunAt: number; readonly giveUp: () => void } | undefined;
  /** Something was kept from leaving since the lease might have been over. */
  wasTooLate = false;
  private readonly abort = new AbortController();
  private renewedAt: number;
  /** By the other clock: this one goes on while the machine is suspended, and jumps when it is set. */
  private renewedAtTime: number;

  constructor(
    readonly message: LaneMessage,
    /** How often its target's breaker had opened when it was claimed. */
    readonly openCount: number,
    /** What it costs of the process's budget. */
    readonly bytes: number,
    /** A moment before the claim, on this process's monotonic clock: the lease is never taken for longer than it is. */
    claimedAt: number,
    private readonly leaseMs: number,
    readonly timeoutMs: number,
  ) {
    this.renewedAt = claimedAt;
    this.renewedAtTime = Date.now() - (performance.now() - claimedAt);
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** False after the process was frozen: the row may be somebody else's by now. */
  mayLeave(): boolean {
    if (this.abort.signal.aborted) return false;
    const safeMs = this.leaseMs * (1 - LEASE_MARGIN);
    const mayLeave =
      performance.now() <= this.renewedAt + safeMs && Date.now() <= this.renewedAtTime + safeMs;
    if (!mayLeave) this.wasTooLate = true;
    return mayLeave;
  }

  /** A third of its lease is over. */
  isAgeing(now: number): boolean {
    return now - this.renewedAt > this.leaseMs / 3 - 50;
  }

  renewed(now: number): void {
    this.renewedAt = now;
    this.renewedAtTime = Date.now() - (performance.now() - now);
  }

  cutOff(): void {
    this.abort.abort();
  }
}

/** What a worker holds: each row once, under the newest of its claims. */
export class HeldRows {
  private readonly byId = new Map<string, Held>();

  /** `onGone`: a row is in hand no more, because it is settled, lost, or was taken again. */
  constructor(private readonly onGone: (held: Held) => void) {}

  get size(): number {
    return this.byId.size;
  }

  add(held: Held): void {
    // The same row again: its first lease ran out while the database was away.
    const earlier = this.byId.get(held.message.id);
    if (earlier) this.lose(earlier);
    this.byId.set(held.message.id, held);
  }

  /** The message is settled; a newer claim of the same row stays. */
  release(message: LaneMessage): void {
    const held = this.find(message);
    if (!held) return;
    this.byId.delete(message.id);
    this.onGone(held);
  }

  lose(held: Held): void {
    held.cutOff();
    this.release(held.message);
  }

  find(message: LaneMessage): Held | undefined {
    const held = this.byId.get(message.id);
    return held?.message === message ? held : undefined;
  }

  cutOffAll(): void {
    for (const held of this.byId.values()) held.cutOff();
  }

  ageing(now: number): Held[] {
    return [...this.byId.values()].filter((held) => held.isAgeing(now));
  }

  /** Rows whose delivery takes longer than any may. */
  overdue(now: number, limitMs: number): Held[] {
    return [...this.byId.values()].filter(({ attempt }) => attempt && now - attempt.begunAt > limitMs);
  }
}
