import { type TargetState, type TargetStore } from './target-store.ts';

const REFRESH_MS = 500;
/** So many failures in a row, whoever's, are the target's. */
const FAILURES_TO_OPEN = 5;
const SUCCESS_NOTE_MS = 5_000;
/** A block that is longer by less than this is the same block. */
const SAME_BLOCK_MS = 100;

export interface Admission {
  /** `one`: the breaker is open and this worker has won the right to try a single message. */
  readonly allowed: 'all' | 'one' | 'none';
  /** How often the breaker had opened by then; what fails afterwards speaks of that state only. */
  readonly openCount: number;
}

interface Known extends TargetState {
  /** On this process's monotonic clock. */
  readonly blockedUntil: number;
}

const UNKNOWN: Known = {
  target: '',
  openCount: 0,
  blockedForMs: 0,
  blockedUntil: -Infinity,
  paused: false,
  lastSuccessAt: null,
};

/** What a gate tells whoever keeps the log. */
export interface GateObserver {
  opened?(target: string): void;
  closed?(target: string): void;
}

/** Circuit breakers, pauses and Retry-After as one process sees them; the truth is in the database. */
export class TargetGate {
  private known = new Map<string, Known>();
  private refreshedAt = -Infinity;
  private refreshing: Promise<void> | undefined;
  /** How far the database's clock is ahead of ours. */
  private clockOffsetMs = 0;
  private readonly failures = new Map<string, number>();
  private readonly successAt = new Map<string, number>();
  private readonly notes = new Set<Promise<void>>();
  private noted = 0;

  constructor(
    private readonly store: TargetStore,
    private readonly observer: GateObserver = {},
  ) {}

  /** Lanes of one process share a gate: all of them wait for the first look. */
  refresh(): Promise<void> {
    if (performance.now() - this.refreshedAt < REFRESH_MS) return Promise.resolve();
    this.refreshing ??= this.load().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  isPaused(name: string): boolean {
    return this.known.get(name)?.paused ?? false;
  }

  async admission(target: string, leaseMs: number): Promise<Admission> {
    const { openCount, paused, blockedUntil } = this.known.get(target) ?? UNKNOWN;
    if (paused || blockedUntil > performance.now()) return { allowed: 'none', openCount };
    if (openCount === 0) return { allowed: 'all', openCount };
    this.refreshedAt = -Infinity;
    const won = await this.store.takeProbe(target, openCount, leaseMs);
    return { allowed: won ? 'one' : 'none', openCount };
  }

  async probeFoundNothing(target: string): Promise<void> {
    await this.store.releaseProbe(target);
  }

  /** Whether what was admitted before must still stay where it is. */
  isShut(target: string): boolean {
    const state = this.known.get(target);
    if (!state) return false;
    return state.paused || state.openCount > 0 || state.blockedUntil > performance.now();
  }

  isOpen(target: string): boolean {
    return (this.known.get(target)?.openCount ?? 0) > 0;
  }

  /** Whether the target has accepted anything since that moment of the database's clock, from any worker. */
  hasSucceededSince(target: string, moment: Date): boolean {
    const ours = (this.successAt.get(target) ?? -Infinity) + this.clockOffsetMs;
    const theirs = this.known.get(target)?.lastSuccessAt?.getTime() ?? -Infinity;
    return Math.max(ours, theirs) > moment.getTime();
  }

  delivered(target: string): void {
    const wasBroken = this.isOpen(target);
    this.failures.delete(target);
    const now = Date.now();
    if (!wasBroken && now - (this.successAt.get(target) ?? 0) < SUCCESS_NOTE_MS) return;
    this.successAt.set(target, now);
    if (wasBroken) {
      this.learn(target, { openCount: 0, blockedUntil: -Infinity });
      this.observer.closed?.(target);
    }
    this.note(this.store.succeeded(target));
  }

  /** `openCount` is the one the message was admitted with. */
  failed(target: string, openCount: number, retryAfterMs: number | undefined): void {
    if (retryAfterMs !== undefined) this.block(target, retryAfterMs);
    const failures = (this.failures.get(target) ?? 0) + 1;
    this.failures.set(target, failures);
    const wasProbe = openCount > 0;
    if (wasProbe || failures >= FAILURES_TO_OPEN) this.trip(target, openCount, retryAfterMs);
  }

  /** Also for a message that would die although its target has not served anybody: the target is what is broken. */
  trip(target: string, openCount: number, retryAfterMs = 0): void {
    // Of all that were under way when the target broke, the first to fail opens the breaker.
    if ((this.known.get(target)?.openCount ?? 0) > openCount) return;
    const coolDown = Math.max(coolDownMs(openCount), retryAfterMs);
    this.failures.delete(target);
    this.learn(target, { openCount: openCount + 1, blockedUntil: performance.now() + coolDown });
    this.note(this.store.trip(target, openCount, coolDown));
    if (openCount === 0) this.observer.opened?.(target);
  }

  private block(target: string, ms: number): void {
    const { blockedUntil } = this.known.get(target) ?? UNKNOWN;
    const until = performance.now() + ms;
    if (until < blockedUntil + SAME_BLOCK_MS) return;
    this.learn(target, { blockedUntil: until });
    this.note(this.store.block(target, ms));
  }

  private async load(): Promise<void> {
    for (;;) {
      const { noted } = this;
      // What this process has found out must be in the database before it is read from there.
      await Promise.all(this.notes);
      const began = performance.now();
      const { now, states } = await this.store.all();
      if (noted !== this.noted) continue;
      this.clockOffsetMs = now.getTime() - Date.now();
      this.known = new Map(
        states.map((state) => [state.target, { ...state, blockedUntil: began + state.blockedForMs }]),
      );
      this.refreshedAt = began;
      return;
    }
  }

  private learn(target: string, change: Partial<Known>): void {
    this.known.set(target, { ...(this.known.get(target) ?? UNKNOWN), target, ...change });
  }

  /** Told to the other workers in the background; a database that is down must not hold up a verdict. */
  private note(writing: Promise<void>): void {
    this.noted += 1;
    this.refreshedAt = -Infinity;
    const note = writing
      .catch(() => undefined)
      .finally(() => {
        this.notes.delete(note);
      });
    this.notes.add(note);
  }
}

/** 1 s, doubling to a minute: an outage costs one probe a minute, and its end is seen within one. */
export function coolDownMs(openCount: number): number {
  return Math.min(60_000, 1_000 * 2 ** openCount);
}
