import { setTimeout as sleep } from 'node:timers/promises';
import { type UnitOfWork } from '@malote/persistence';
import { type LaneMessage } from '../lane/lane.ts';
import { LaneStore } from '../lane/lane-store.ts';
import { type Settlement } from '../lane/settlement.ts';
import { type TargetGate, targetNames } from '../targets/target-gate.ts';
import { laneTarget } from '../targets/target-name.ts';
import { attempt, type Attempted } from './attempt.ts';
import { type Budget } from './budget.ts';
import { type Claim, Claimer } from './claimer.ts';
import { conclude, giveUp, handBack, type Rules, unwritable } from './conclude.ts';
import { Held, HeldRows } from './held-rows.ts';
import { checkHandler, type LaneHandler } from './lane-handler.ts';
import { type LaneObserver, resultOf } from './lane-observer.ts';
import { type LaneSettings } from './lane-settings.ts';
import { type Pipe, Pipes } from './pipe.ts';
import { SettleQueue } from './settle-queue.ts';
import { concernsEverything } from './trouble.ts';

/** Two workers in a row vanished with such a row in their hands: it may be what ended them. */
const SUSPICIOUS_ABANDONMENTS = 2;
/** Then a row that may end the process is offered again, so that others get on in between. */
const SUSPECT_PAUSE_MS = 1_000;
const TICK_MS = 1_000;
const GATHER_MS = 5;
/** What was cut off at the end of a drain is handed back within this time. */
export const CUT_OFF_MS = 500;

interface Admitted extends Claim {
  /** How often the target's breaker had opened; above zero, the claim is a probe. */
  readonly openCount: number;
}

/** What the workers of a process share. */
export interface WorkerParts {
  readonly uow: UnitOfWork;
  readonly gate: TargetGate;
  readonly budget: Budget;
  readonly observer: LaneObserver;
  /** Unique among all processes. */
  readonly name: string;
  /** To be told when rows of this process become due. */
  readonly dueIn: (ms: number) => void;
}

/** Works one lane off: claims what it is offered, delivers it, and writes down what came of it. */
export class LaneWorker {
  readonly store: LaneStore;
  private readonly claimer: Claimer;
  private readonly settleQueue: SettleQueue;
  private readonly held: HeldRows;
  private readonly pipes: Pipes;
  private readonly wanted = new Set<string>();
  private readonly lane: string;
  private readonly rules: Rules;
  private stopping = false;
  private serving: Promise<void> | undefined;
  private stopped: Promise<void> | undefined;
  private readonly ticking: NodeJS.Timeout;
  private isTicking = false;

  constructor(
    private readonly handler: LaneHandler,
    readonly settings: LaneSettings,
    private readonly parts: WorkerParts,
  ) {
    checkHandler(handler);
    const { uow, budget, observer, name } = parts;
    this.lane = handler.lane.name;
    this.rules = { retry: settings.retry, ask: handler.lane.doubt ? settings.ask : undefined };
    this.store = new LaneStore(handler.lane, uow);
    this.claimer = new Claimer(this.store, uow, budget, settings, name, (error) =>
      observer.troubled?.(this.lane, error),
    );
    this.pipes = new Pipes((target) => targetNames(target, this.groupOf(target)));
    this.held = new HeldRows(({ bytes }) => {
      budget.released(bytes);
    });
    this.settleQueue = new SettleQueue({
      write: (batch) => this.settle(batch),
      abandon: (settlement, error) => {
        observer.troubled?.(this.lane, error);
        if (settlement.isBare) this.lose([settlement.message]);
        else this.settleQueue.push(unwritable(settlement, error, this.rules));
      },
      troubled: (error) => observer.troubled?.(this.lane, error),
    });
    const tickMs = Math.min(TICK_MS, settings.leaseMs / 3, settings.deliveryLimitMs / 4);
    this.ticking = setInterval(() => void this.tick(), tickMs);
  }

  /** These targets have due rows; without any, a look at what is in hand. */
  offer(targets: readonly string[]): void {
    for (const target of targets) this.wanted.add(target);
    if (this.stopping) return;
    this.serving ??= this.serve().finally(() => {
      this.serving = undefined;
      if (this.wanted.size > 0) this.offer([]);
    });
  }

  /** Stops claiming, hands back what has not begun, finishes what has, settles. */
  stop(drainMs: number): Promise<void> {
    this.stopped ??= this.drain(drainMs);
    return this.stopped;
  }

  private async drain(drainMs: number): Promise<void> {
    this.stopping = true;
    this.parts.budget.sendLonerAway();
    await this.serving;
    for (const pipe of this.pipes.all()) {
      for (const { message } of pipe.waiting.splice(0)) this.settleQueue.push(handBack(message));
    }
    await this.idle(drainMs);
    clearInterval(this.ticking);
    this.held.cutOffAll();
    await this.idle(CUT_OFF_MS);
    await this.settleQueue.close();
  }

  /** Waits until nothing is held any more, or for so long. */
  private async idle(limitMs: number): Promise<void> {
    const until = performance.now() + limitMs;
    while (this.held.size > 0 && performance.now() < until) await sleep(5);
  }

  /** As long as there is something to claim and room for it. */
  private async serve(): Promise<void> {
    try {
      for (let isFirst = true; !this.stopping; isFirst = false) {
        // Many places become free in a moment: one claim fills them all.
        if (this.claimer.isShort) await sleep(GATHER_MS);
        const pipes = this.claimable();
        if (pipes.length === 0 && !isFirst) return;
        await this.refreshGate(pipes);
        if (this.isPaused || pipes.length === 0) return;
        let claimed = 0;
        for await (const claim of this.claims(pipes)) claimed += this.take(claim);
        if (claimed === 0 && this.wanted.size === 0) return;
      }
    } catch (error) {
      // The next look offers again what is still due.
      this.wanted.clear();
      this.parts.observer.troubled?.(this.lane, error);
    }
  }

  private claimable(): Pipe[] {
    // Those without room stay hot: a delivery that ends makes some, and comes back for more.
    for (const target of this.wanted) this.pipes.of(target).hot = true;
    this.wanted.clear();
    return [...this.pipes.all()].filter((pipe) => pipe.hot && this.claimer.room(pipe) > 0);
  }

  /** What was in hand when its target or lane was paused is handed back as well. */
  private async refreshGate(pipes: readonly Pipe[]): Promise<void> {
    const waiting = [...this.pipes.all()].filter((pipe) => pipe.waiting.length > 0);
    if (pipes.length === 0 && waiting.length === 0) return;
    const names = [...pipes, ...waiting].flatMap(({ names: { target, group } }) => [target, group]);
    await this.parts.gate.refresh([laneTarget(this.lane), ...names]);
    for (const pipe of waiting) this.pump(pipe);
  }

  private get isPaused(): boolean {
    return this.parts.gate.isPaused(laneTarget(this.lane));
  }

  private async *claims(pipes: readonly Pipe[]): AsyncGenerator<Admitted> {
    const open: Pipe[] = [];
    for (const pipe of pipes) {
      const claim = await this.claimApart(pipe);
      if (claim === 'open') {
        open.push(pipe);
        continue;
      }
      pipe.hot = false;
      if (claim) yield claim;
      this.pipes.forgetIdle(pipe);
    }
    for await (const claim of this.claimer.share(open)) yield { ...claim, openCount: 0 };
  }

  /** Of a broken target a probe, of one with limits what they allow; `open`: the target takes what there is. */
  private async claimApart(pipe: Pipe): Promise<Admitted | 'open' | undefined> {
    const { gate } = this.parts;
    return this.trying(async () => {
      const { allowed, openCount } = await gate.admission(pipe.names, this.settings.leaseMs);
      if (allowed === 'none') return undefined;
      const limits = this.handler.limits?.(pipe.names.group);
      if (allowed === 'all')
        return limits ? { ...(await this.claimer.within(pipe, limits)), openCount } : 'open';
      const probe = await this.claimer.probe(pipe);
      if (probe.messages.length === 0) await gate.probeFoundNothing(pipe.names);
      return { ...probe, openCount };
    });
  }

  /** What goes wrong with one target must not keep the worker from those after it. */
  private async trying<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (concernsEverything(error)) throw error;
      this.parts.observer.troubled?.(this.lane, error);
      return undefined;
    }
  }

  /** Returns how many rows the claim brought. */
  private take({ messages, sizes, claimedAt, limit, pipes, openCount }: Admitted): number {
    if (limit > 0)
      this.parts.observer.claimed?.(this.lane, messages.length, (performance.now() - claimedAt) / 1000);
    const { leaseMs, requestTimeoutMs } = this.settings;
    const brought = new Map<Pipe, number>();
    messages.forEach((message, n) => {
      const pipe = this.pipes.of(message.target);
      const held = new Held(message, openCount, sizes[n] ?? 0, claimedAt, leaseMs, requestTimeoutMs);
      this.held.add(held);
      brought.set(pipe, (brought.get(pipe) ?? 0) + 1);
      const { abandonments } = message;
      if (abandonments >= this.settings.maxAbandonments) this.settleQueue.push(giveUp(message, this.rules));
      else if (abandonments >= SUSPICIOUS_ABANDONMENTS) void this.deliverAlone(pipe, held);
      else pipe.waiting.push(held);
    });
    for (const pipe of new Set([...pipes, ...brought.keys()])) {
      pipe.hot = openCount === 0 && limit > 0 && brought.get(pipe) === limit;
      this.pump(pipe);
      this.pipes.forgetIdle(pipe);
    }
    return messages.length;
  }

  /** Whatever it does to this process, nothing else shares its fate. */
  private async deliverAlone(pipe: Pipe, held: Held): Promise<void> {
    const { budget } = this.parts;
    if (this.stopping || budget.hasLoner || !(await budget.becomeAlone())) {
      this.settleQueue.push(handBack(held.message, SUSPECT_PAUSE_MS));
      return;
    }
    try {
      await this.deliver(pipe, held);
    } finally {
      budget.leaveAlone();
    }
  }

  /** Somebody wants to be alone. */
  makeWay(): void {
    for (const pipe of this.pipes.all()) this.pump(pipe);
  }

  private pump(pipe: Pipe): void {
    const { budget, gate } = this.parts;
    if (pipe.waiting.length > 0 && (this.isPaused || budget.hasLoner || gate.isShut(pipe.names))) {
      for (const { message } of pipe.takeBack()) this.settleQueue.push(handBack(message));
    }
    if (this.stopping || budget.hasLoner) return;
    while (pipe.active < this.settings.concurrency && pipe.waiting.length > 0) {
      const held = pipe.waiting.shift();
      if (held) void this.deliver(pipe, held);
    }
  }

  private async deliver(pipe: Pipe, held: Held): Promise<void> {
    const { budget, observer } = this.parts;
    pipe.active += 1;
    budget.begun();
    try {
      // The process was frozen: the row may be somebody else's by now, and sending it again would break its order.
      if (!held.mayLeave()) this.lose([held.message]);
      else this.conclude(pipe, held, await attempt(this.handler, held, this.settings.deliveryLimitMs));
    } catch (error) {
      observer.troubled?.(this.lane, error);
      this.lose([held.message]);
    } finally {
      pipe.active -= 1;
      budget.ended();
    }
    this.pump(pipe);
    this.pipes.forgetIdle(pipe);
    if (pipe.hot && this.claimer.room(pipe) > 0 && (pipe.inHand === 0 || !this.claimer.isShort))
      this.offer([]);
  }

  private conclude({ names }: Pipe, held: Held, attempted: Attempted): void {
    const { gate, observer } = this.parts;
    const { settlement, evidence } = conclude(held, attempted, names, gate, this.rules);
    gate.learn(names, held.openCount, evidence);
    if (settlement.verdict !== 'return')
      observer.attempted?.(this.lane, resultOf(attempted.answer), attempted.seconds);
    this.settleQueue.push(settlement);
  }

  private async settle(batch: readonly Settlement[]): Promise<void> {
    const { uow, observer } = this.parts;
    const settled = await uow.run(async (tx) => {
      const ours = await this.store.settle(tx, batch);
      const complete = ours.filter(({ isBare }) => !isBare);
      if (complete.length > 0) await this.handler.onSettled?.(tx, complete);
      return ours;
    });
    for (const settlement of settled) observer.settled?.(this.lane, settlement);
    for (const { message } of settled) this.held.release(message);
    this.lose(batch.map(({ message }) => message));
    await this.letOthersGoOn(settled);
    const waiting = settled.filter(({ verdict }) => verdict !== 'done' && verdict !== 'dead');
    if (waiting.length > 0) this.parts.dueIn(Math.min(...waiting.map(({ delayMs }) => delayMs)));
    // The next row of their keys has become due.
    const ordered = settled.filter(({ message, verdict }) => verdict === 'done' && message.orderKey !== null);
    if (ordered.length > 0) this.offer([...new Set(ordered.map(({ message }) => message.target))]);
  }

  private async letOthersGoOn(settled: readonly Settlement[]): Promise<void> {
    try {
      await this.handler.afterSettled?.(settled);
    } catch (error) {
      this.parts.observer.troubled?.(this.lane, error);
    }
  }

  private async tick(): Promise<void> {
    if (this.isTicking) return;
    this.isTicking = true;
    try {
      await this.lookAfterHeld();
    } finally {
      this.isTicking = false;
    }
  }

  private async lookAfterHeld(): Promise<void> {
    const now = performance.now();
    for (const held of this.held.overdue(now, this.settings.deliveryLimitMs)) {
      this.parts.observer.overdue?.(this.lane, held.message);
      held.attempt?.giveUp();
    }
    const ageing = this.held.ageing(now);
    if (ageing.length === 0) return;
    try {
      const messages = ageing.map(({ message }) => message);
      const { renewed, taken } = await this.parts.uow.run((tx) =>
        this.store.renew(tx, messages, this.settings.leaseMs),
      );
      for (const held of ageing) if (renewed.has(held.message.id)) held.renewed(now);
      this.lose(messages.filter(({ id }) => taken.has(id)));
    } catch (error) {
      this.parts.observer.troubled?.(this.lane, error);
    }
  }

  /** Counts only what is still held: a row that was settled meanwhile is nobody's loss. */
  private lose(messages: readonly LaneMessage[]): void {
    const lost = messages.map((message) => this.held.find(message)).filter((held) => held !== undefined);
    for (const held of lost) this.held.lose(held);
    if (lost.length > 0) this.parts.observer.lostLease?.(this.lane, lost.length);
  }

  private groupOf(target: string): string {
    try {
      if (this.handler.targetGroup) return this.handler.targetGroup(target);
    } catch (error) {
      // It goes on alone, and its delivery will say what is wrong with it.
      this.parts.observer.troubled?.(this.lane, error);
    }
    return URL.canParse(target) ? new URL(target).origin : target || laneTarget(this.lane);
  }
}
