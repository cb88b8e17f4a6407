import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Tx, type UnitOfWork } from '@malote/persistence';
import { OUTBOX_RETRY, type RetryConfig } from '@malote/retry-policy';
import { Alarm } from './alarm.ts';
import { type Settlement } from './lane-sql.ts';
import { LaneStore } from './lane-store.ts';
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

interface Held {
  readonly message: LaneMessage;
  /** How often its target's breaker had opened when it was claimed. */
  readonly openCount: number;
  /** Shared by all rows of a claim: they have one lease. */
  readonly lease: AbortController;
  leaseUntil: number;
  renewedAt: number;
}

/** One target's share of the worker: a slow partner fills its own lanes only. */
interface Pipe {
  readonly target: string;
  readonly group: string;
  readonly waiting: Held[];
  active: number;
  /** The last claim came back full: there is more, no need to look first. */
  hot: boolean;
}

const POLL_FLOOR_MS = 20;
const TROUBLE_CEILING_MS = 10_000;
/** The bytes must leave while the row is ours: nothing is begun in the last part of a lease. */
const LEASE_MARGIN = 0.1;
/** What was cut off at the end of a drain is handed back within this time. */
const CUT_OFF_MS = 500;

export class LaneWorker {
  private readonly store: LaneStore;
  private readonly targets: TargetStore;
  private readonly settleQueue: SettleQueue;
  private readonly verdicts: Verdicts;
  private readonly alarm = new Alarm();
  private readonly name = `${hostname().slice(0, 40)}:${process.pid}:${randomUUID().slice(0, 8)}`;
  private readonly pipes = new Map<string, Pipe>();
  private readonly held = new Map<string, Held>();
  private claims = 0;
  private stopping = false;
  private running: Promise<void> | undefined;
  private renewal: NodeJS.Timeout | undefined;

  constructor(
    private readonly handler: LaneHandler,
    private readonly uow: UnitOfWork,
    private readonly gate: TargetGate,
    private readonly settings: LaneSettings,
    private readonly observer: LaneObserver = {},
  ) {
    this.store = new LaneStore(handler.lane, uow);
    this.targets = new TargetStore(uow);
    this.verdicts = new Verdicts(gate, settings.retry);
    this.settleQueue = new SettleQueue(
      (batch) => this.settle(batch),
      (error) => observer.troubled?.(this.lane, error),
    );
  }

  private get lane(): string {
    return this.handler.lane.name;
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
  async stop(): Promise<void> {
    this.stopping = true;
    this.alarm.ring();
    await this.running;
    for (const pipe of this.pipes.values()) {
      for (const { message } of pipe.waiting.splice(0)) this.handBack(message, 0, null);
    }
    await this.idle(this.settings.drainMs);
    clearInterval(this.renewal);
    for (const { lease } of this.held.values()) lease.abort();
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
    const hot = [...this.pipes.values()].filter((pipe) => pipe.hot);
    const targets =
      hot.length > 0 ? hot.map(({ target }) => ({ target, dueInMs: 0 })) : await this.store.peek();
    const due = targets.filter(({ dueInMs }) => dueInMs <= 0);
    let sleepMs = Math.min(pollCeilingMs, ...targets.map(({ dueInMs }) => dueInMs).filter((ms) => ms > 0));
    // An idle lane asks one question: what targets are like matters only when something is due.
    if (due.length > 0) await this.gate.refresh();
    if (this.gate.isPaused(`lane:${this.lane}`)) return pollCeilingMs;
    for (const { target } of due) sleepMs = Math.min(sleepMs, await this.fill(this.pipeOf(target)));
    return Math.max(sleepMs, hot.length > 0 ? 0 : POLL_FLOOR_MS);
  }

  /** Returns how soon this target is worth another look. */
  private async fill(pipe: Pipe): Promise<number> {
    const { batch, pollCeilingMs } = this.settings;
    const room = 2 * batch - pipe.waiting.length - pipe.active;
    // A finished delivery rings the alarm when there is room again.
    if (room < batch) return pollCeilingMs;
    const { target, group } = pipe;
    const { allowed, openCount } = await this.gate.admission(group, this.settings.leaseMs);
    pipe.hot = false;
    if (allowed === 'none') return Math.min(pollCeilingMs, 500);
    const wanted = allowed === 'one' ? 1 : batch;
    // The lease begins somewhere between here and the answer; the earlier moment is the safe one.
    const claimedAt = performance.now();
    const messages = await this.claim(target, group, wanted);
    if (allowed === 'one' && messages.length === 0) await this.gate.probeFoundNothing(group);
    pipe.hot = messages.length === batch;
    this.take(pipe, messages, openCount, claimedAt);
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

  private take(pipe: Pipe, messages: readonly LaneMessage[], openCount: number, claimedAt: number): void {
    const lease = new AbortController();
    // Every delivery under way listens to it.
    setMaxListeners(0, lease.signal);
    const suspects = messages.filter(({ abandoned }) => abandoned);
    // Whatever killed their worker is one of them: tried one by one, the others do not share its fate.
    for (const innocent of suspects.slice(1))
      this.handBack(innocent, 250, 'tried apart from rows abandoned with it');
    for (const message of messages) {
      if (suspects.includes(message) && message !== suspects[0]) continue;
      const held = {
        message,
        openCount,
        lease,
        leaseUntil: claimedAt + this.settings.leaseMs,
        renewedAt: claimedAt,
      };
      this.held.set(message.id, held);
      pipe.waiting.push(held);
    }
    this.pump(pipe);
  }

  private pump(pipe: Pipe): void {
    while (pipe.active < this.settings.concurrency && pipe.waiting.length > 0 && !this.stopping) {
      const held = pipe.waiting.shift();
      if (held) void this.deliver(pipe, held);
    }
  }

  private async deliver(pipe: Pipe, held: Held): Promise<void> {
    pipe.active += 1;
    const { message } = held;
    const began = performance.now();
    if (began > held.leaseUntil - this.settings.leaseMs * LEASE_MARGIN) {
      // The process was frozen: the row may be somebody else's by now, and sending it again would break its order.
      this.lose([message]);
    } else {
      const outcome = await this.attempt(held);
      this.conclude(pipe, held, outcome, (performance.now() - began) / 1000);
    }
    pipe.active -= 1;
    this.pump(pipe);
    const room = 2 * this.settings.batch - pipe.waiting.length - pipe.active;
    if (room >= this.settings.batch) this.alarm.ring();
  }

  private conclude(
    { group }: Pipe,
    { message, openCount, lease }: Held,
    outcome: Outcome,
    seconds: number,
  ): void {
    if (lease.signal.aborted && outcome.kind === 'failed') {
      // We cut it off ourselves, which says nothing about the target; a row that is still ours can be had at once.
      this.handBack(message, 0, outcome.reason);
      return;
    }
    const result = outcome.kind === 'delivered' ? 'delivered' : outcome.final ? 'final' : 'failed';
    this.observer.attempted?.(this.lane, result, seconds);
    this.settleQueue.push(this.verdicts.of(message, group, openCount, outcome));
  }

  private async attempt({ message, lease }: Held): Promise<Outcome> {
    if (message.attempt > this.settings.retry.maxAttempts) {
      const reason = `gave up: ${message.attempt - 1} workers vanished while holding this row`;
      return { kind: 'failed', reason, blame: 'message', final: true };
    }
    try {
      return await this.handler.deliver(message, lease.signal);
    } catch (error) {
      return outcomeOfError(error);
    }
  }

  private handBack(message: LaneMessage, delayMs: number, error: string | null): void {
    this.settleQueue.push({ message, verdict: 'refund', delayMs, error });
  }

  private async settle(batch: readonly Settlement[]): Promise<void> {
    const settled = await this.uow.run(async (tx) => {
      const ids = await this.store.settle(tx, batch);
      const ours = batch.filter(({ message }) => ids.has(message.id));
      await this.handler.onSettled?.(tx, ours);
      return ours;
    });
    for (const settlement of settled) this.observer.settled?.(this.lane, settlement);
    for (const { message } of batch) this.held.delete(message.id);
    if (settled.length < batch.length) this.observer.lostLease?.(this.lane, batch.length - settled.length);
    if (settled.some(({ message, verdict }) => verdict === 'done' && message.orderKey !== null))
      this.alarm.ring();
  }

  private async renewLeases(): Promise<void> {
    const { leaseMs } = this.settings;
    const now = performance.now();
    const ageing = [...this.held.values()].filter(({ renewedAt }) => now - renewedAt > leaseMs / 3 - 50);
    if (ageing.length === 0) return;
    try {
      const messages = ageing.map(({ message }) => message);
      const kept = await this.uow.run((tx) => this.store.renew(tx, messages, leaseMs));
      for (const held of ageing) {
        if (!kept.has(held.message.id)) continue;
        held.renewedAt = now;
        held.leaseUntil = now + leaseMs;
      }
      this.lose(messages.filter(({ id }) => !kept.has(id)));
    } catch (error) {
      this.observer.troubled?.(this.lane, error);
    }
  }

  private lose(messages: readonly LaneMessage[]): void {
    if (messages.length === 0) return;
    for (const { id } of messages) {
      this.held.get(id)?.lease.abort();
      this.held.delete(id);
    }
    this.observer.lostLease?.(this.lane, messages.length);
  }

  private pipeOf(target: string): Pipe {
    let pipe = this.pipes.get(target);
    if (!pipe) {
      pipe = { target, group: this.groupOf(target), waiting: [], active: 0, hot: false };
      this.pipes.set(target, pipe);
    }
    return pipe;
  }

  private groupOf(target: string): string {
    if (this.handler.targetGroup) return this.handler.targetGroup(target);
    return URL.canParse(target) ? new URL(target).origin : target || `lane:${this.lane}`;
  }
}
