import { type UnitOfWork } from '@malote/persistence';
import { type Draining, type Log, type Metrics } from '@malote/service-kit';
import { type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { LaneMetrics } from './lane-metrics.ts';
import { LaneStore } from './lane-store.ts';
import { type LaneHandler, LaneWorker } from './lane-worker.ts';
import { type OutboxConfig } from './outbox.config.ts';
import { type Outbox } from './outbox.ts';
import { PeriodicTasks } from './periodic-tasks.ts';
import { TargetGate } from './target-gate.ts';
import { TargetStore } from './target-store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_SECONDS = 24 * 3_600;

/** Runs the lanes of one service: started when the service is up, drained from the moment it is told to stop. */
export class LaneRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly lanes: { readonly store: LaneStore; readonly worker: LaneWorker }[] = [];
  private readonly gate: TargetGate;
  private readonly tasks: PeriodicTasks;
  private readonly laneMetrics: LaneMetrics;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly config: OutboxConfig,
    private readonly log: Log,
    metrics: Metrics,
    draining: Draining,
  ) {
    draining.signal.addEventListener('abort', () => {
      void this.stop();
    });
    this.gate = new TargetGate(new TargetStore(uow), {
      opened: (target) => {
        log.warn('A target is down; its messages wait', { target });
      },
      closed: (target) => {
        log.info('A target is back', { target });
      },
    });
    this.tasks = new PeriodicTasks(uow);
    this.laneMetrics = new LaneMetrics(metrics.registry);
  }

  /** To be called before the service is up, from a module's `onModuleInit`. */
  add(handler: LaneHandler): void {
    const store = new LaneStore(handler.lane, this.uow);
    const worker = new LaneWorker(handler, this.uow, this.gate, this.config.laneSettings, {
      ...this.laneMetrics.observer,
      settled: (lane, settlement) => {
        this.laneMetrics.observer.settled?.(lane, settlement);
        const { message, verdict, error } = settlement;
        if (verdict === 'dead') this.log.warn('A message gave up', { lane, id: message.id, reason: error });
      },
      troubled: (lane, err) => {
        this.log.warn('A lane is in trouble and goes on trying', { lane, err });
      },
    });
    this.laneMetrics.watch(store);
    this.outbox.onEnqueued(handler.lane.name, () => {
      worker.wake();
    });
    this.lanes.push({ store, worker });
  }

  onApplicationBootstrap(): void {
    for (const { worker } of this.lanes) worker.start();
    // Not held to once a minute: whoever was here before may have been killed just before it made rows due.
    void this.adoptForgottenRows(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  private async stop(): Promise<void> {
    await Promise.all(this.lanes.map(({ worker }) => worker.stop()));
  }

  @Interval(MINUTE_MS)
  async adoptForgottenRows(everyMs = MINUTE_MS): Promise<void> {
    await this.eachLane('adopt', everyMs, (store) => store.adopt());
  }

  @Interval(HOUR_MS)
  async purgeDeliveredRows(): Promise<void> {
    await this.eachLane('purge', HOUR_MS, (store) =>
      store.purge(this.config.outboxRetentionDays * DAY_SECONDS),
    );
  }

  private async eachLane(
    task: string,
    everyMs: number,
    work: (store: LaneStore) => Promise<number>,
  ): Promise<void> {
    for (const { store } of this.lanes) {
      const lane = store.lane.name;
      try {
        await this.tasks.once(`${task}:${lane}`, everyMs, async () => {
          const rows = await work(store);
          if (rows > 0) this.log.info('Lane maintenance', { lane, task, rows });
        });
      } catch (err) {
        this.log.warn('Lane maintenance failed; the next period tries again', { lane, task, err });
      }
    }
  }
}
