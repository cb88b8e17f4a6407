import { setTimeout as sleep } from 'node:timers/promises';
import { type Settlement } from './lane-sql.ts';

/** Few enough row locks never to escalate to a table lock. */
const MAX_BATCH = 500;
/** Results that arrive together are written together: a commit costs far more than a row. Waiting longer delays the next row of a key. */
const GATHER_MS = 5;
const WORTH_A_COMMIT = 100;
const RETRY_CEILING_MS = 2_000;

/** Writes results in batches. A result is kept until the database has taken it: forgetting one would send twice. */
export class SettleQueue {
  private readonly waiting: Settlement[] = [];
  private draining: Promise<void> | undefined;
  private closed = false;
  private enough: (() => void) | undefined;

  constructor(
    private readonly write: (batch: readonly Settlement[]) => Promise<void>,
    private readonly troubled: (error: unknown) => void,
  ) {}

  push(settlement: Settlement): void {
    this.waiting.push(settlement);
    if (this.waiting.length >= WORTH_A_COMMIT) this.enough?.();
    this.draining ??= this.drain();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.enough?.();
    await this.draining;
  }

  private async drain(): Promise<void> {
    let pauseMs = 25;
    while (this.waiting.length > 0) {
      if (this.waiting.length < WORTH_A_COMMIT && !this.closed) await this.gather();
      const batch = this.waiting.slice(0, MAX_BATCH);
      try {
        await this.write(batch);
        this.waiting.splice(0, batch.length);
        pauseMs = 25;
      } catch (error) {
        this.troubled(error);
        // The process ends: the leases will run out, and the target will see the same key again.
        if (this.closed) break;
        pauseMs = Math.min(RETRY_CEILING_MS, pauseMs * 2);
        await sleep(pauseMs);
      }
    }
    this.draining = undefined;
  }

  private async gather(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS);
      this.enough = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.enough = undefined;
  }
}
