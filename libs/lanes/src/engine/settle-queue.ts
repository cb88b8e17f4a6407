import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseBusy } from '@malote/persistence';
import { type Settlement } from '../lane/settlement.ts';
import { Alarm } from './alarm.ts';
import { concernsEverything } from './trouble.ts';

/** Few enough row locks never to escalate to a table lock. */
const MAX_BATCH = 500;
/** Results that arrive together are written together: a commit costs far more than a row. Waiting longer delays the next row of a key. */
const GATHER_MS = 5;
const WORTH_A_COMMIT = 100;
const FIRST_PAUSE_MS = 25;
const RETRY_CEILING_MS = 2_000;
const LOCKED_PAUSE_MS = 1_000;

type Batch = readonly Settlement[];

export interface SettleEnds {
  /** All of the batch or, when it throws, nothing. */
  write(batch: Batch): Promise<void>;
  /** This one can never be written as it is. */
  abandon(settlement: Settlement, error: unknown): void;
  troubled(error: unknown): void;
}

/** Writes results in batches. A result is kept until the database has taken it: forgetting one would send twice. */
export class SettleQueue {
  private readonly waiting: Settlement[] = [];
  /** What somebody's lock is in the way of. Each look at it waits for that lock, so others go first. */
  private readonly locked: Batch[] = [];
  private readonly closing = new Alarm();
  private draining: Promise<void> | undefined;
  private unlocking: Promise<void> | undefined;
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
    this.closing.ring();
    await Promise.all([this.draining, this.unlocking]);
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
  private async write(batch: Batch): Promise<void> {
    try {
      await this.ends.write(batch);
    } catch (error) {
      if (concernsEverything(error)) throw error;
      const [only] = batch;
      if (isDatabaseBusy(error)) {
        this.ends.troubled(error);
        this.locked.push(batch);
        this.unlocking ??= this.unlock();
      } else if (batch.length === 1 && only) {
        this.ends.abandon(only, error);
      } else {
        for (const half of halvesOf(batch)) await this.write(half);
      }
    }
  }

  /** Tries halves of what is locked, and single rows again and again, as long as there are any. */
  private async unlock(): Promise<void> {
    for (let batch = this.locked.shift(); batch && !this.closed; batch = this.locked.shift()) {
      if (batch.length === 1) await this.closing.sleep(LOCKED_PAUSE_MS);
      for (const part of batch.length === 1 ? [batch] : halvesOf(batch)) {
        try {
          await this.write(part);
        } catch (error) {
          this.ends.troubled(error);
          this.locked.push(part);
          await this.closing.sleep(LOCKED_PAUSE_MS);
        }
      }
    }
    this.unlocking = undefined;
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

function halvesOf(batch: Batch): [Batch, Batch] {
  const half = Math.ceil(batch.length / 2);
  return [batch.slice(0, half), batch.slice(half)];
}
