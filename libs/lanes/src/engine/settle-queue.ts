import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@malote/app-error';
import { type Settlement } from '../lane/settlement.ts';

/** Few enough row locks never to escalate to a table lock. */
const MAX_BATCH = 500;
/** Results that arrive together are written together: a commit costs far more than a row. Waiting longer delays the next row of a key. */
const GATHER_MS = 5;
const WORTH_A_COMMIT = 100;
const FIRST_PAUSE_MS = 25;
const RETRY_CEILING_MS = 2_000;

export interface SettleEnds {
  /** All of the batch or, when it throws, nothing. */
  write(batch: readonly Settlement[]): Promise<void>;
  /** This one can never be written: its lease will run out, and the row be taken again. */
  abandon(settlement: Settlement, error: unknown): void;
  troubled(error: unknown): void;
}

/** Writes results in batches. A result is kept until the database has taken it: forgetting one would send twice. */
export class SettleQueue {
  private readonly waiting: Settlement[] = [];
  private draining: Promise<void> | undefined;
  private closed = false;
  private enough: (() => void) | undefined;

  constructor(private readonly ends: SettleEnds) {}

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
    let pauseMs = FIRST_PAUSE_MS;
    while (this.waiting.length > 0) {
      if (this.waiting.length < WORTH_A_COMMIT && !this.closed) await this.gather();
      const batch = this.waiting.slice(0, MAX_BATCH);
      try {
        await this.write(batch);
        this.waiting.splice(0, batch.length);
        pauseMs = FIRST_PAUSE_MS;
      } catch (error) {
        this.ends.troubled(error);
        // The process ends: the leases will run out, and the target will see the same key again.
        if (this.closed) break;
        pauseMs = Math.min(RETRY_CEILING_MS, pauseMs * 2);
        await sleep(pauseMs);
      }
    }
    this.draining = undefined;
  }

  /** Throws only while the database is away. Any other error is one row's, and must not hold up the rest: halves find it. */
  private async write(batch: readonly Settlement[]): Promise<void> {
    try {
      await this.ends.write(batch);
    } catch (error) {
      if (error instanceof AppError && error.kind === 'unavailable') throw error;
      const [only] = batch;
      if (batch.length === 1 && only) {
        this.ends.abandon(only, error);
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await this.write(batch.slice(0, half));
      await this.write(batch.slice(half));
    }
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
