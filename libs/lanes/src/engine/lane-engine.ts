import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type UnitOfWork } from '@malote/persistence';
import { type GateObserver, TargetGate } from '../targets/target-gate.ts';
import { TargetStore } from '../targets/target-store.ts';
import { Alarm } from './alarm.ts';
import { Budget, type BudgetLimits } from './budget.ts';
import { type LaneHandler } from './lane-handler.ts';
import { type LaneObserver } from './lane-observer.ts';
import { type LaneSettings } from './lane-settings.ts';
import { LaneWorker } from './lane-worker.ts';
import { Lookout } from './lookout.ts';

export interface EngineOptions {
  readonly budget?: BudgetLimits;
  readonly observer?: LaneObserver;
  readonly gateObserver?: GateObserver;
}

/** How often a look is taken at whether another process has committed, where that costs no statement. */
const GLANCE_MS = 20;
/** Then a look without a reason is a precaution only. */
const PRECAUTION_MS = 2_000;
/** What is due and could not be claimed: its target may serve again by then. */
const STILL_DUE_MS = 500;
const LEAST_MS = 5;
const PAUSE_FACTOR = 3;
const FIRST_TROUBLE_MS = 100;
const TROUBLE_CEILING_MS = 10_000;

/** The lanes of one process: one look for all of them, and what they share. */
export class LaneEngine {
  readonly gate: TargetGate;
  readonly budget: Budget;
  private readonly name = `${hostname().slice(0, 40)}:${process.pid}:${randomUUID().slice(0, 8)}`;
  private readonly workers: LaneWorker[] = [];
  private readonly alarm = new Alarm();
  private readonly observer: LaneObserver;
  private running: Promise<void> | undefined;
  private stopping = false;
  /** When rows are known to become due, on this process's monotonic clock. */
  private dueAt = -Infinity;

  constructor(
    private readonly uow: UnitOfWork,
    { budget, observer = {}, gateObserver }: EngineOptions = {},
  ) {
    this.observer = observer;
    this.gate = new TargetGate(new TargetStore(uow), this.name, gateObserver);
    this.budget = new Budget(budget);
    this.budget.onRoom(() => {
      for (const worker of this.workers) worker.offer([]);
    });
    this.budget.onLoner(() => {
      for (const worker of this.workers) worker.makeWay();
    });
  }

  /** Before the engine is started. */
  add(handler: LaneHandler, settings: LaneSettings): LaneWorker {
    const { uow, gate, budget, observer, name } = this;
    const dueIn = (ms: number) => {
      this.dueIn(ms);
    };
    const worker = new LaneWorker(handler, settings, { uow, gate, budget, observer, name, dueIn });
    this.workers.push(worker);
    return worker;
  }

  start(): void {
    this.running ??= this.loop();
  }

  /** Rows have become due: look at once. */
  wake(): void {
    this.dueIn(0);
  }

  /** This process has just written a due time, of which nobody else will tell it. */
  private dueIn(ms: number): void {
    const dueAt = performance.now() + ms;
    if (dueAt >= this.dueAt) return;
    this.dueAt = dueAt;
    this.alarm.ring();
  }

  async stop(drainMs: number): Promise<void> {
    this.stopping = true;
    this.alarm.ring();
    await Promise.all([this.running, ...this.workers.map((worker) => worker.stop(drainMs))]);
  }

  private async loop(): Promise<void> {
    const lookout = new Lookout(
      this.uow,
      this.workers.map(({ store }) => store),
      (lane, error) => this.observer.troubled?.(lane, error),
    );
    let troubleMs = 0;
    while (!this.stopping) {
      this.dueAt = Infinity;
      try {
        const seen = this.uow.foreignCommits();
        const began = performance.now();
        const restMs = await this.lookAround(lookout);
        troubleMs = 0;
        // However often others commit, looking takes a quarter of the time at most. Where nothing tells of commits, looks are rare.
        if (seen !== undefined) await this.pause((performance.now() - began) * PAUSE_FACTOR);
        await this.rest(restMs, seen);
      } catch (error) {
        this.observer.troubled?.('all lanes', error);
        troubleMs = Math.min(TROUBLE_CEILING_MS, Math.max(FIRST_TROUBLE_MS, troubleMs * 2));
        await this.alarm.sleep(troubleMs * (0.5 + Math.random() / 2));
      }
    }
  }

  /** Offers what is due to those whose it is; returns how long nothing will be. */
  private async lookAround(lookout: Lookout): Promise<number> {
    const found = await lookout.look();
    let restMs = this.longestRestMs;
    this.workers.forEach((worker, n) => {
      const targets = found[n] ?? [];
      const due = targets.filter(({ dueInMs }) => dueInMs <= 0);
      worker.offer(due.map(({ target }) => target));
      const next = targets.find(({ dueInMs }) => dueInMs > 0)?.dueInMs ?? Infinity;
      restMs = Math.min(restMs, next, due.length > 0 ? STILL_DUE_MS : Infinity);
    });
    return Math.max(restMs, LEAST_MS);
  }

  private get longestRestMs(): number {
    const pollMs = Math.min(...this.workers.map(({ settings }) => settings.pollMs));
    return this.uow.foreignCommits() === undefined ? pollMs : Math.max(pollMs, PRECAUTION_MS);
  }

  private async pause(ms: number): Promise<void> {
    const until = performance.now() + ms;
    for (let leftMs = ms; leftMs > 1 && !this.stopping; leftMs = until - performance.now())
      await sleep(leftMs);
  }

  /** Until something is due, another process commits, or so much time has passed. */
  private async rest(ms: number, seen: number | undefined): Promise<void> {
    this.dueAt = Math.min(this.dueAt, performance.now() + ms);
    const glanceMs = seen === undefined ? Infinity : GLANCE_MS;
    while (!this.stopping && this.uow.foreignCommits() === seen) {
      const leftMs = this.dueAt - performance.now();
      if (leftMs <= 0) return;
      await this.alarm.sleep(Math.min(leftMs, glanceMs));
    }
  }
}
