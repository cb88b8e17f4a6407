import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, isDatabaseOutage } from '@malote/persistence';
import { type Draining, type Log, type Metrics } from '@malote/service-kit';
import { type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { LaneEngine } from '../engine/lane-engine.ts';
import { type LaneHandler } from '../engine/lane-handler.ts';
import { type LaneObserver } from '../engine/lane-observer.ts';
import { checkSettings } from '../engine/lane-settings.ts';
import { type LaneStore } from '../lane/lane-store.ts';
import { type Lane } from '../lane/lane.ts';
import { checkLaneTable } from '../lane/lane-table.ts';
import { type Outbox } from '../lane/outbox.ts';
import { LaneMetrics } from './lane-metrics.ts';
import { type LanesConfig } from './lanes.config.ts';
import { PeriodicTasks } from './periodic-tasks.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_SECONDS = 24 * 3_600;
/** Between two slices of a sweep others get their turn. */
const SLICE_PAUSE_MS = 5;

/** Runs the lanes of one service: started when the service is up, drained from the moment it is told to stop. */
export class LaneRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly engine: LaneEngine;
  private readonly stores: LaneStore[] = [];
  private readonly tasks: PeriodicTasks;
  private readonly metrics: LaneMetrics;
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly config: LanesConfig,
    private readonly log: Log,
    metrics: Metrics,
    draining: Draining,
  ) {
    draining.signal.addEventListener('abort', () => {
      void this.stop();
    });
    const uow = database.unitOfWork;
    this.tasks = new PeriodicTasks(uow);
    this.metrics = new LaneMetrics(metrics.registry);
    this.engine = new LaneEngine(uow, {
      budget: config.budget,
      observer: this.observer(),
      gateObserver: {
        opened: (target) => {
          log.warn('A target is down; its messages wait', { target });
        },
        closed: (target) => {
          log.info('A target is back', { target });
        },
      },
    });
    this.metrics.watchBudget(this.engine.budget);
  }

  /**
   * The lanes of a domain and who handles them, in any order. To be called before the service is up, from a module's
   * `onModuleInit`; throws for a lane that nobody handles, and for one whose table is not complete.
   */
  addAll(lanes: readonly Lane[], handlers: readonly LaneHandler[]): void {
    const orphans = lanes.filter((lane) => !handlers.some((handler) => handler.lane === lane));
    if (orphans.length > 0)
      throw new Error(`Nobody handles ${orphans.map(({ name }) => `lane ${name}`).join(', ')}`);
    for (const handler of handlers) {
      if (!lanes.includes(handler.lane))
        throw new Error(`Lane ${handler.lane.name} is not in its domain's list`);
      checkLaneTable(handler.lane, this.database.entities);
      const settings = this.config.laneSettings(handler.lane.name);
      checkSettings(handler.lane, settings);
      const { store } = this.engine.add(handler, settings);
      this.metrics.watch(store);
      this.stores.push(store);
    }
  }

  /** The lanes this service works off. */
  get lanes(): Lane[] {
    return this.stores.map(({ lane }) => lane);
  }

  onApplicationBootstrap(): void {
    const lanes = this.lanes.map(({ name }) => name);
    const strays = this.config.laneVariables.strays(lanes);
    if (strays.length > 0) this.log.warn('Settings name lanes this service does not have', { strays, lanes });
    this.outbox.onDue(() => {
      this.engine.wake();
    });
    this.engine.start();
    // Not held to once a minute: whoever was here before may have been killed just before it made rows due.
    void this.adoptForgottenRows(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  private stop(): Promise<void> {
    this.stopped ??= this.engine.stop(this.config.drainMs);
    return this.stopped;
  }

  @Interval(MINUTE_MS)
  async adoptForgottenRows(everyMs = MINUTE_MS): Promise<void> {
    await this.eachLane('adopt', everyMs, (store) => this.sweep(store));
  }

  @Interval(HOUR_MS)
  async purgeDeliveredRows(): Promise<void> {
    await this.eachLane('purge', HOUR_MS, (store) =>
      store.purge(this.config.outboxRetentionDays * DAY_SECONDS),
    );
  }

  private async sweep(store: LaneStore): Promise<number> {
    let total = 0;
    for (let after: string | null = '0'; after !== null && !this.stopped;) {
      const { adopted, next } = await store.adopt(after);
      total += adopted;
      if (adopted > 0) this.engine.wake();
      if (next !== null) await sleep(SLICE_PAUSE_MS);
      after = next;
    }
    return total;
  }

  /** One look whether it is time, for all lanes: an idle process must not load the database more with each lane it has. */
  private async eachLane(
    task: string,
    everyMs: number,
    work: (store: LaneStore) => Promise<number>,
  ): Promise<void> {
    const lanes = this.stores.map(({ lane }) => lane.name).sort();
    await this.carefully({ task }, async () => {
      await this.tasks.once(`${task}:${lanes.join(',')}`, everyMs, async () => {
        for (const store of this.stores) {
          const lane = store.lane.name;
          await this.carefully({ task, lane }, async () => {
            const rows = await work(store);
            if (rows > 0) this.log.info('Lane maintenance', { lane, task, rows });
          });
        }
      });
    });
  }

  private async carefully(what: Readonly<Record<string, string>>, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (err) {
      if (isDatabaseOutage(err)) return;
      this.log.warn('Lane maintenance failed; the next period tries again', { ...what, err });
    }
  }

  private observer(): LaneObserver {
    const { log } = this;
    const counted = this.metrics.observer;
    return {
      ...counted,
      settled: (lane, settlement) => {
        counted.settled?.(lane, settlement);
        const { message, verdict, error, needsHuman } = settlement;
        if (verdict === 'dead') log.warn('A message gave up', { lane, id: message.id, reason: error });
        if (needsHuman)
          log.error('Nobody can tell whether a message has arrived; a human has to look', {
            lane,
            id: message.id,
            questions: message.asks,
            reason: error,
          });
      },
      overdue: (lane, message) => {
        counted.overdue?.(lane, message);
        log.error('A delivery does not end; its message is tried again without it', { lane, id: message.id });
      },
      // The service tells of an outage, once.
      troubled: (lane, err) => {
        if (isDatabaseOutage(err)) return;
        log.warn('A lane is in trouble and goes on trying', { lane, err });
      },
    };
  }
}
