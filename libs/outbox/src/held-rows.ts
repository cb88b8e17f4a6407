import { type LaneMessage } from './lane.ts';

/** A claimed row this worker answers for. */
export interface Held {
  readonly message: LaneMessage;
  /** How often its target's breaker had opened when it was claimed. */
  readonly openCount: number;
  /** Aborted when the lease is lost. */
  readonly abort: AbortController;
  /** On this process's monotonic clock. */
  leaseUntil: number;
  renewedAt: number;
}

/** What a worker holds: each row once, under the newest of its claims. */
export class HeldRows {
  private readonly byId = new Map<string, Held>();

  constructor(private readonly leaseMs: number) {}

  get size(): number {
    return this.byId.size;
  }

  /** `claimedAt` is a moment before the claim: the lease began later, so it is never taken for longer than it is. */
  add(message: LaneMessage, openCount: number, claimedAt: number): Held {
    // The same row again: its first lease ran out while the database was away.
    this.byId.get(message.id)?.abort.abort();
    const leaseUntil = claimedAt + this.leaseMs;
    const held = { message, openCount, abort: new AbortController(), leaseUntil, renewedAt: claimedAt };
    this.byId.set(message.id, held);
    return held;
  }

  /** The message is settled; a newer claim of the same row stays. */
  release(message: LaneMessage): void {
    if (this.byId.get(message.id)?.message === message) this.byId.delete(message.id);
  }

  lose({ message, abort }: Held): void {
    abort.abort();
    this.release(message);
  }

  find(message: LaneMessage): Held | undefined {
    const held = this.byId.get(message.id);
    return held?.message === message ? held : undefined;
  }

  abortAll(): void {
    for (const { abort } of this.byId.values()) abort.abort();
  }

  /** Rows whose lease has not been renewed for a third of its time. */
  ageing(now: number): Held[] {
    return [...this.byId.values()].filter(({ renewedAt }) => now - renewedAt > this.leaseMs / 3 - 50);
  }

  renewed(held: Held, now: number): void {
    held.renewedAt = now;
    held.leaseUntil = now + this.leaseMs;
  }
}
