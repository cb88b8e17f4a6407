import { type Decision } from '@malote/retry-policy';
import { targetName } from './target-name.ts';
import { type TargetState, type TargetStore } from './target-store.ts';

const REFRESH_MS = 500;
/** So many failures in a row, whoever's, are the target's. */
const FAILURES_TO_OPEN = 5;
const SUCCESS_NOTE_MS = 5_000;
/** A block that is longer by less than this is the same block. */
const SAME_BLOCK_MS = 100;
/** A probe that learnt nothing, since the fault was ours, leaves the next one to somebody else. */
const PROBE_AGAIN_MS = 1_000;
/** Names are forgotten once there are so many, and nobody has asked for them of late. */
const MANY_NAMES = 2_000;
const FORGET_AFTER_MS = 60_000;

/** A target and those it shares a breaker with: partners on one host go down together, but wait for themselves only. */
export interface TargetNames {
  readonly target: string;
  readonly group: string;
}

export function targetNames(target: string, group: string): TargetNames {
  return { target: targetName(target), group: targetName(group) };
}

export interface Admission {
  /** `one`: the breaker is open and this worker has won the right to try a single message. */
  readonly allowed: 'all' | 'one' | 'none';
  /** How often the breaker had opened by then; what fails afterwards speaks of that state only. */
  readonly openCount: number;
}

interface Known extends Omit<TargetState, 'blockedForMs' | 'target'> {
  /** On this process's monotonic clock. */
  readonly blockedUntil: number;
  readonly readAt: number;
}

const UNKNOWN: Known = {
  openCount: 0,
  blockedUntil: -Infinity,
  paused: false,
  lastSuccessAt: null,
  readAt: -Infinity,
};

/** What a gate tells whoever keeps the log. */
export interface GateObserver {
  opened?(target: string): void;
  closed?(target: string): void;
}

/** Circuit breakers, pauses and Retry-After as one process sees them; the truth is in the database. */
export class TargetGate {
  private readonly known = new Map<string, Known>();
  private refreshing: Promise<void> = Promise.resolve();
  /** How far the database's clock is ahead of ours. */
  private clockOffsetMs = 0;
  private readonly failures = new Map<string, number>();
  private readonly successAt = new Map<string, number>();
  /** What is being written of each name, one thing after the other. */
  private readonly notes = new Map<string, Promise<void>>();
  private noted = 0;

  constructor(
    private readonly store: TargetStore,
    /** Unique among all processes: whoever takes a probe signs for it. */
    private readonly owner: string,
    private readonly observer: GateObserver = {},
  ) {}

  /** Reads what is known of these names, unless that was done a moment ago. */
  refresh(names: Iterable<string>): Promise<void> {
    const wanted = [...new Set(names)];
    this.refreshing = this.refreshing.catch(() => undefined).then(() => this.load(this.stale(wanted)));
    return this.refreshing;
  }

  isPaused(name: string): boolean {
    return this.known.get(name)?.paused ?? false;
  }

  async admission({ target, group }: TargetNames, leaseMs: number): Promise<Admission> {
    const { openCount } = this.stateOf(group);
    if (this.isHeldBack(target) || this.isHeldBack(group)) return { allowed: 'none', openCount };
    if (openCount === 0) return { allowed: 'all', openCount };
    this.forget(group);
    const won = await this.store.takeProbe(group, openCount, leaseMs, this.owner);
    // Of five hundred addresses behind one breaker, only the first asks.
    this.change(group, { blockedUntil: performance.now() + (won ? leaseMs : REFRESH_MS) });
    return { allowed: won ? 'one' : 'none', openCount };
  }

  /** There was nothing to try, or what was tried failed by our own fault. */
  async probeFoundNothing({ group }: TargetNames): Promise<void> {
    this.change(group, { blockedUntil: -Infinity, readAt: -Infinity });
    await this.store.releaseProbe(group, this.owner, 0);
  }

  /** Whether what was admitted before must still stay where it is. */
  isShut({ target, group }: TargetNames): boolean {
    return this.isHeldBack(target) || this.isHeldBack(group) || this.isDown(group);
  }

  isDown(group: string): boolean {
    return this.stateOf(group).openCount > 0;
  }

  /** Whether the target has accepted anything since that moment of the database's clock, from any worker. */
  hasServedSince(group: string, moment: Date): boolean {
    const ours = (this.successAt.get(group) ?? -Infinity) + this.clockOffsetMs;
    const theirs = this.stateOf(group).lastSuccessAt?.getTime() ?? -Infinity;
    return Math.max(ours, theirs) > moment.getTime();
  }

  /** What an attempt has shown. `openCount` is the one the message was admitted with; above zero it was a probe. */
  learn(
    { target, group }: TargetNames,
    openCount: number,
    { evidence, blockMs }: Pick<Decision, 'evidence' | 'blockMs'>,
  ): void {
    this.learnOf(group, openCount, evidence);
    // Last: a target and its group may go by one name, and what the target asked for outlasts what was learnt.
    if (blockMs !== undefined) this.block(target, blockMs);
  }

  private learnOf(group: string, openCount: number, evidence: Decision['evidence']): void {
    switch (evidence) {
      case 'accepts':
        this.accepts(group, openCount);
        return;
      case 'judges':
        this.failures.delete(group);
        if (openCount > 0) this.close(group, openCount);
        return;
      case 'replies':
        if (openCount > 0) this.close(group, openCount);
        return;
      case 'fails':
        this.fails(group, openCount);
        return;
      case 'broken':
        this.trip(group, openCount);
        return;
      case 'none':
        if (openCount > 0) this.note(group, () => this.store.releaseProbe(group, this.owner, PROBE_AGAIN_MS));
        return;
      default:
        evidence satisfies never;
    }
  }

  private accepts(group: string, openCount: number): void {
    this.failures.delete(group);
    const now = Date.now();
    const isNews = now - (this.successAt.get(group) ?? 0) >= SUCCESS_NOTE_MS;
    if (isNews || openCount > 0) this.successAt.set(group, now);
    if (openCount > 0) this.close(group, openCount);
    if (isNews || openCount > 0) this.note(group, () => this.store.accepted(group));
  }

  private close(group: string, openCount: number): void {
    if (this.stateOf(group).openCount === openCount) {
      this.change(group, { openCount: 0, blockedUntil: -Infinity });
      this.observer.closed?.(group);
    }
    this.note(group, () => this.store.close(group, openCount));
  }

  private fails(group: string, openCount: number): void {
    const failures = (this.failures.get(group) ?? 0) + 1;
    this.failures.set(group, failures);
    if (openCount > 0 || failures >= FAILURES_TO_OPEN) this.trip(group, openCount);
  }

  private trip(group: string, openCount: number): void {
    // Of all that were under way when the target broke, the first to fail opens the breaker.
    if (this.stateOf(group).openCount > openCount) return;
    const coolDown = coolDownMs(openCount);
    this.failures.delete(group);
    const blockedUntil = Math.max(this.stateOf(group).blockedUntil, performance.now() + coolDown);
    this.change(group, { openCount: openCount + 1, blockedUntil });
    this.note(group, () => this.store.trip(group, openCount, coolDown));
    if (openCount === 0) this.observer.opened?.(group);
  }

  private block(target: string, ms: number): void {
    const until = performance.now() + ms;
    if (until < this.stateOf(target).blockedUntil + SAME_BLOCK_MS) return;
    this.change(target, { blockedUntil: until });
    this.note(target, () => this.store.block(target, ms));
  }

  private isHeldBack(name: string): boolean {
    const { paused, blockedUntil } = this.stateOf(name);
    return paused || blockedUntil > performance.now();
  }

  private stateOf(name: string): Known {
    return this.known.get(name) ?? UNKNOWN;
  }

  private stale(names: readonly string[]): string[] {
    const now = performance.now();
    return names.filter((name) => now - this.stateOf(name).readAt >= REFRESH_MS);
  }

  private async load(names: readonly string[]): Promise<void> {
    while (names.length > 0) {
      const { noted } = this;
      // What this process has found out must be in the database before it is read from there.
      await Promise.all(this.notes.values());
      const began = performance.now();
      const { now, states } = await this.store.read(names);
      if (noted !== this.noted) continue;
      this.clockOffsetMs = now.getTime() - Date.now();
      const found = new Map(states.map((state) => [state.target, state]));
      for (const name of names) {
        const state = found.get(name);
        const known = state ? { ...state, blockedUntil: began + state.blockedForMs } : UNKNOWN;
        this.known.set(name, { ...known, readAt: began });
      }
      this.forgetTheUnasked(began);
      return;
    }
  }

  private forgetTheUnasked(now: number): void {
    if (this.known.size < MANY_NAMES) return;
    for (const [name, { readAt }] of this.known) {
      if (now - readAt < FORGET_AFTER_MS) continue;
      for (const memory of [this.known, this.failures, this.successAt]) memory.delete(name);
    }
  }

  private change(name: string, change: Partial<Known>): void {
    this.known.set(name, { ...this.stateOf(name), ...change });
  }

  /** Read it again before it is asked for the next time. */
  private forget(name: string): void {
    if (this.known.has(name)) this.change(name, { readAt: -Infinity });
  }

  /** Told to the other workers in the background; a database that is down must not hold up a verdict. */
  private note(name: string, write: () => Promise<void>): void {
    this.noted += 1;
    this.forget(name);
    const note = (this.notes.get(name) ?? Promise.resolve())
      .then(write)
      .catch(() => undefined)
      .finally(() => {
        if (this.notes.get(name) === note) this.notes.delete(name);
      });
    this.notes.set(name, note);
  }
}

/** 1 s, doubling to a minute: an outage costs one probe a minute, and its end is seen within one. */
export function coolDownMs(openCount: number): number {
  return Math.min(60_000, 1_000 * 2 ** openCount);
}
