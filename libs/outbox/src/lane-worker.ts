import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Tx, type UnitOfWork } from '@malote/persistence';
import { OUTBOX_RETRY, type RetryConfig } from '@malote/retry-policy';
import { Alarm } from './alarm.ts';
import { type Held, HeldRows } from './held-rows.ts';
import { ABANDONED_AGAIN, type Settlement } from './lane-sql.ts';
import { type DueTarget, LaneStore } from './lane-store.ts';
import { type Lane, type LaneMessage } from './lane.ts';
import { type Outcome, outcomeOfError } from './outcome.ts';
import { SettleQueue } from './settle-queue.ts';
import { type TargetGate } from './target-gate.ts';
import { type TargetLimits, TargetStore } from './target-store.ts';
import { Verdicts } from './verdicts.ts';

export interface LaneHandler {
  readonly lane: Lane;
  /** Hands one message over, outside any transaction. Must pass `signal` on: it ends when the lease is lost. */
  deliver(message: LaneMessage, signal: AbortSignal): Promise<Outcome>;
  /** Runs in the transaction that settles, for rows whose lease held: mirrors a state, enqueues what follows. */
  onSettled?(tx: Tx, settlements: readonly Settlement[]): Promise<void>;
  /** What the settled rows let go on, once that is committed; lost when the process ends here, and found by the sweep then. */
  afterSettled?(settlements: readonly Settlement[]): Promise<void>;
  /** Targets that share a breaker, a pause and limits; by default the origin of the target's address. */
  targetGroup?(target: string): string;
  limits?(targetGroup: string): TargetLimits;
}

export interface LaneSettings {
  readonly leaseMs: number;
  readonly batch: number;
  /** Deliveries under way at once, per target. */
  readonly concurrency: number;
  /** Longest sleep of an idle lane. */
  readonly pollCeilingMs: number;
  readonly drainMs: number;
  readonly retry: RetryConfig;
}

export const LANE_DEFAULTS: LaneSettings = {
  leaseMs: 15_000,
  batch: 100,
  concurrency: 32,
  pollCeilingMs: 2_000,
  drainMs: 20_000,
  retry: OUTBOX_RETRY,
};

/** What a worker tells whoever counts. */
export interface LaneObserver {
  claimed?(lane: string, count: number, seconds: number): void;
  attempted?(lane: string, result: 'delivered' | 'failed' | 'final', seconds: number): void;
  settled?(lane: string, settlement: Settlement): void;
  lostLease?(lane: string, count: number): void;
  troubled?(lane: string, error: unknown): void;
}

/** One target's share of the worker: a slow partner fills its own lanes only. */
interface Pipe {
  readonly target: string;
  readonly group: string;
  readonly waiting: Held[];
  active: number;
  /** The last claim came back full: there is more, no need to look first. */
  hot: boolean;
  /** A row that may end the process is under way: nothing else is begun beside it. */
  alone: boolean;
}

const POLL_FLOOR_MS = 20;
/** How long a busy target may keep the worker from looking for others. */
const LOOK_AROUND_MS = 50;
const TROUBLE_CEILING_MS = 10_000;
/** The bytes must leave while the row is ours: nothing is begun in the last part of a lease. */
const LEASE_MARGIN = 0.1;
/** What was cut off at the end of a drain is handed back within this time. */
export const CUT_OFF_MS = 500;
/** Keeps a suspect one. */
const WAITS_ALONE = `${ABANDONED_AGAIN}its worker; waits to be tried alone`;

export class LaneWorker {
  private readonly store: LaneStore;
  private readonly targets: TargetStore;
  private readonly settleQueue: SettleQueue;
  private readonly verdicts: Verdicts;
  private readonly held: HeldRows;
  private readonly alarm = new Alarm();
  private readonly name = `${hostname().slice(0, 40)}:${process.pid}:${randomUUID().slice(0, 8)}`;
  private readonly lane: string;
  private readonly pauseName: string;
  private readonly pipes = new Map<string, Pipe>();
  private claims = 0;
  private lookedAt = -Infinity;
  private stopping = false;
  private running: Promise<void> | undefined;
  private stopped: Promise<void> | undefined;
  private renewal: NodeJS.Timeout | undefined;

  constructor(
    private readonly handler: LaneHandler,
    private readonly uow: UnitOfWork,
    private readonly gate: TargetGate,
    private readonly settings: LaneSettings,
    private readonly observer: LaneObserver = {},
  ) {
    this.lane = handler.lane.name;
    this.pauseName = `lane:${this.lane}`;
    this.store = new LaneStore(handler.lane, uow);
    this.targets = new TargetStore(uow);
    this.verdicts = new Verdicts(gate, settings.retry);
    this.held = new HeldRows(settings.leaseMs);
    this.settleQueue = new SettleQueue({
      write: (batch) => this.settle(batch),
      abandon: ({ message }, error) => {
        observer.troubled?.(this.lane, error);
        this.lose([message]);
      },
      troubled: (error) => observer.troubled?.(this.lane, error),
    });
  }

  start(): void {
    this.running ??= this.loop();
    this.renewal ??= setInterval(() => void this.renewLeases(), this.settings.leaseMs / 3);
  }

  /** Rows were committed in this process: look at once. */
  wake(): void {
    this.alarm.ring();
  }

  /** Stops claiming, hands back what has not begun, finishes what has, settles. */
  stop(): Promise<void> {
    this.stopped ??= this.drain();
    return this.stopped;
  }

  private async drain(): Promise<void> {
    this.stopping = true;
    this.alarm.ring();
    await this.running;
    for (const pipe of this.pipes.values()) {
      for (const { message } of pipe.waiting.splice(0)) this.settleQueue.push(refund(message, null));
    }
    await this.idle(this.settings.drainMs);
    clearInterval(this.renewal);
    this.held.abortAll();
    await this.idle(CUT_OFF_MS);
    await this.settleQueue.close();
  }

  /** Waits until nothing is held any more, or for so long. */
  private async idle(limitMs: number): Promise<void> {
    const until = performance.now() + limitMs;
    while (this.held.size > 0 && performance.now() < until) await sleep(5);
  }

  private async loop(): Promise<void> {
    let troubleMs = 0;
    while (!this.stopping) {
      try {
        const sleepMs = await this.round();
        troubleMs = 0;
        await this.alarm.sleep(sleepMs);
      } catch (error) {
        this.observer.troubled?.(this.lane, error);
        troubleMs = Math.min(TROUBLE_CEILING_MS, Math.max(100, troubleMs * 2));
        await this.alarm.sleep(troubleMs * (0.5 + Math.random() / 2));
      }
    }
  }

  /** Claims for every target that is due and has room; returns how long nothing will be due. */
  private async round(): Promise<number> {
    const { pollCeilingMs } = this.settings;
    const hot = [...this.pipes.values()].filter((pipe) => pipe.hot && this.hasRoom(pipe));
    const others = await this.lookAround(hot);
    const due = [...hot.map(({ target }) => target), ...others.filter(isDue).map(({ target }) => target)];
    // An idle lane asks one question: what targets are like matters only when something is due.
    if (due.length > 0) await this.gate.refresh();
    if (this.gate.isPaused(this.pauseName)) return pollCeilingMs;
    let sleepMs = Math.min(
      pollCeilingMs,
      ...others.filter((target) => !isDue(target)).map(({ dueInMs }) => dueInMs),
    );
    for (const target of due) sleepMs = Math.min(sleepMs, await this.fill(this.pipeOf(target)));
    return Math.max(sleepMs, hot.length > 0 ? 0 : POLL_FLOOR_MS);
  }

  /** Targets with rows, but for the hot ones: those are known to have some, and need no look while they are few. */
  private async lookAround(hot: readonly Pipe[]): Promise<DueTarget[]> {
    const now = performance.now();
    if (hot.length > 0 && now - this.lookedAt < LOOK_AROUND_MS) return [];
    this.lookedAt = now;
    const known = new Set(hot.map(({ target }) => target));
    return (await this.store.peek()).filter(({ target }) => !known.has(target));
  }

  private hasRoom({ waiting, active, alone }: Pipe): boolean {
    const { batch } = this.settings;
    return alone ? active === 0 : waiting.length + active <= batch;
  }

  /** Returns how soon this target is worth another look. */
  private async fill(pipe: Pipe): Promise<number> {
    const { batch, pollCeilingMs } = this.settings;
    // A finished delivery rings the alarm when there is room again.
    if (!this.hasRoom(pipe)) return pollCeilingMs;
    const { target, group } = pipe;
    pipe.hot = false;
    const { allowed, openCount } = await this.gate.admission(group, this.settings.leaseMs);
    if (allowed === 'none') return Math.min(pollCeilingMs, 500);
    const claimedAt = performance.now();
    const messages = await this.claim(target, group, allowed === 'one' ? 1 : batch);
    if (allowed === 'one' && messages.length === 0) await this.gate.probeFoundNothing(group);
    pipe.hot = messages.length === batch;
    await this.take(pipe, messages, openCount, claimedAt);
    this.forgetIdle(pipe);
    return messages.length > 0 ? 0 : 50;
  }

  private async claim(target: string, group: string, wanted: number): Promise<LaneMessage[]> {
    const began = performance.now();
    const owner = `${this.name}#${(this.claims += 1)}`;
    const limits = this.handler.limits?.(group) ?? {};
    const messages = await this.uow.run(async (tx) => {
      const admitted = await this.withinLimits(tx, target, group, wanted, limits);
      return admitted > 0 ? this.store.claim(tx, target, owner, admitted, this.settings.leaseMs) : [];
    });
    this.observer.claimed?.(this.lane, messages.length, (performance.now() - began) / 1000);
    return messages;
  }

  private async withinLimits(
    tx: Tx,
    target: string,
    group: string,
    wanted: number,
    limits: TargetLimits,
  ): Promise<number> {
    let admitted = wanted;
    if (limits.concurrency !== undefined) {
      await this.targets.lockRow(tx, group);
      admitted = Math.min(admitted, limits.concurrency - (await this.store.underWay(tx, target)));
    }
    if (limits.perSecond !== undefined && admitted > 0) {
      admitted = await this.targets.admit(tx, group, admitted, limits.perSecond);
    }
    return admitted;
  }

  private async take(
    pipe: Pipe,
    messages: readonly LaneMessage[],
    openCount: number,
    claimedAt: number,
  ): Promise<void> {
    const suspect = messages.find((message) => message.suspect);
    pipe.alone = suspect !== undefined;
    if (suspect && messages.length > 1) {
      // Committed before the suspect is touched: whatever it does to this process, the others do not share its fate.
      const others = messages.filter((message) => message !== suspect);
      await this.settle(others.map((message) => refund(message, message.suspect ? WAITS_ALONE : null)));
    }
    for (const message of suspect ? [suspect] : messages) {
      pipe.waiting.push(this.held.add(message, openCount, claimedAt));
    }
    this.pump(pipe);
  }

  private pump(pipe: Pipe): void {
    if (pipe.waiting.length > 0 && (this.gate.isShut(pipe.group) || this.gate.isPaused(this.pauseName))) {
      // A probe goes out all the same: that is what it is for.
      const stays = pipe.waiting.filter(({ openCount }) => openCount === 0);
      pipe.waiting.splice(0, pipe.waiting.length, ...pipe.waiting.filter(({ openCount }) => openCount > 0));
      for (const { message } of stays) this.settleQueue.push(refund(message, null));
    }
    while (pipe.active < this.settings.concurrency && pipe.waiting.length > 0 && !this.stopping) {
      const held = pipe.waiting.shift();
      if (held) void this.deliver(pipe, held);
    }
  }

  private async deliver(pipe: Pipe, held: Held): Promise<void> {
    pipe.active += 1;
    const began = performance.now();
    if (held.abort.signal.aborted || began > held.leaseUntil - this.settings.leaseMs * LEASE_MARGIN) {
      // The process was frozen: the row may be somebody else's by now, and sending it again would break its order.
      this.lose([held.message]);
    } else {
      const outcome = await this.attempt(held);
      this.conclude(pipe, held, outcome, (performance.now() - began) / 1000);
    }
    pipe.active -= 1;
    this.pump(pipe);
    this.forgetIdle(pipe);
    if (this.hasRoom(pipe)) this.alarm.ring();
  }

  private conclude(
    { group }: Pipe,
    { message, openCount, abort }: Held,
    outcome: Outcome,
    seconds: number,
  ): void {
    if (abort.signal.aborted && outcome.kind === 'failed') {
      // We cut it off ourselves, which says nothing about the target; a row that is still ours can be had at once.
      this.settleQueue.push(refund(message, outcome.reason));
      return;
    }
    const result = outcome.kind === 'delivered' ? 'delivered' : outcome.final ? 'final' : 'failed';
    this.observer.attempted?.(this.lane, result, seconds);
    this.settleQueue.push(this.verdicts.of(message, group, openCount, outcome));
  }

  private async attempt({ message, abort }: Held): Promise<Outcome> {
    if (message.attempt > this.settings.retry.maxAttempts) {
      const reason = `gave up: ${message.attempt - 1} workers vanished while holding this row`;
      return { kind: 'failed', reason, blame: 'message', final: true };
    }
    try {
      return await this.handler.deliver(message, abort.signal);
    } catch (error) {
      return outcomeOfError(error);
    }
  }

  private async settle(batch: readonly Settlement[]): Promise<void> {
    const settled = await this.uow.run(async (tx) => {
      const ours = await this.store.settle(tx, batch);
      await this.handler.onSettled?.(tx, ours);
      return ours;
    });
    for (const settlement of settled) this.observer.settled?.(this.lane, settlement);
    for (const { message } of batch) this.held.release(message);
    await this.letOthersGoOn(settled);
    if (settled.length < batch.length) this.observer.lostLease?.(this.lane, batch.length - settled.length);
    if (settled.some(({ message, verdict }) => verdict === 'done' && message.orderKey !== null))
      this.alarm.ring();
  }

  private async letOthersGoOn(settled: readonly Settlement[]): Promise<void> {
    try {
      await this.handler.afterSettled?.(settled);
    } catch (error) {
      this.observer.troubled?.(this.lane, error);
    }
  }

  private async renewLeases(): Promise<void> {
    const now = performance.now();
    const ageing = this.held.ageing(now);
    if (ageing.length === 0) return;
    try {
      const messages = ageing.map(({ message }) => message);
      const kept = await this.uow.run((tx) => this.store.renew(tx, messages, this.settings.leaseMs));
      for (const held of ageing) if (kept.has(held.message.id)) this.held.renewed(held, now);
      this.lose(messages.filter(({ id }) => !kept.has(id)));
    } catch (error) {
      this.observer.troubled?.(this.lane, error);
    }
  }

  /** Counts only what is still held: a row that was settled meanwhile is nobody's loss. */
  private lose(messages: readonly LaneMessage[]): void {
    const lost = messages.map((message) => this.held.find(message)).filter((held) => held !== undefined);
    for (const held of lost) this.held.lose(held);
    if (lost.length > 0) this.observer.lostLease?.(this.lane, lost.length);
  }

  private pipeOf(target: string): Pipe {
    let pipe = this.pipes.get(target);
    if (!pipe) {
      pipe = { target, group: this.groupOf(target), waiting: [], active: 0, hot: false, alone: false };
      this.pipes.set(target, pipe);
    }
    return pipe;
  }

  /** Targets are as many as callers name; only those with work are kept in mind. */
  private forgetIdle(pipe: Pipe): void {
    if (pipe.active === 0 && pipe.waiting.length === 0 && !pipe.hot) this.pipes.delete(pipe.target);
  }

  private groupOf(target: string): string {
    if (this.handler.targetGroup) return this.handler.targetGroup(target);
    return URL.canParse(target) ? new URL(target).origin : target || `lane:${this.lane}`;
  }
}

/** Puts a row back as if it had never been claimed. */
function refund(message: LaneMessage, error: string | null): Settlement {
  return { message, verdict: 'refund', delayMs: 0, error };
}

function isDue({ dueInMs }: DueTarget): boolean {
  return dueInMs <= 0;
}
