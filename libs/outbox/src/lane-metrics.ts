import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type LaneStore } from './lane-store.ts';
import { type LaneObserver } from './lane-worker.ts';

const DEPTH_CACHE_MS = 5_000;

/** Lane figures in Prometheus' words. Depth is counted when somebody looks, at most every few seconds. */
export class LaneMetrics {
  readonly observer: LaneObserver;
  private readonly depth: Gauge;
  private readonly oldest: Gauge;
  private readonly stores: LaneStore[] = [];
  private countedAt = -Infinity;

  constructor(registry: Registry) {
    const registers = [registry];
    const attempts = new Counter({
      name: 'outbox_attempts_total',
      help: 'Deliveries tried, by result',
      labelNames: ['lane', 'result'],
      registers,
    });
    const dead = new Counter({
      name: 'outbox_dead_total',
      help: 'Messages that gave up',
      labelNames: ['lane'],
      registers,
    });
    const lost = new Counter({
      name: 'outbox_lost_leases_total',
      help: 'Rows another worker took over',
      labelNames: ['lane'],
      registers,
    });
    const delivery = new Histogram({
      name: 'outbox_delivery_seconds',
      help: 'Time one delivery took',
      labelNames: ['lane'],
      registers,
    });
    const claim = new Histogram({
      name: 'outbox_claim_seconds',
      help: 'Time one claim took',
      labelNames: ['lane'],
      registers,
    });
    this.depth = new Gauge({
      name: 'outbox_depth',
      help: 'Unfinished messages',
      labelNames: ['lane', 'status'],
      registers,
      collect: () => this.count(),
    });
    this.oldest = new Gauge({
      name: 'outbox_oldest_seconds',
      help: 'Age of the oldest unfinished message',
      labelNames: ['lane', 'status'],
      registers,
    });
    this.observer = {
      claimed: (lane, _count, seconds) => {
        claim.observe({ lane }, seconds);
      },
      attempted: (lane, result, seconds) => {
        attempts.inc({ lane, result });
        delivery.observe({ lane }, seconds);
      },
      settled: (lane, { verdict }) => {
        if (verdict === 'dead') dead.inc({ lane });
      },
      lostLease: (lane, count) => {
        lost.inc({ lane }, count);
      },
    };
  }

  watch(store: LaneStore): void {
    this.stores.push(store);
  }

  private async count(): Promise<void> {
    if (performance.now() - this.countedAt < DEPTH_CACHE_MS) return;
    this.countedAt = performance.now();
    this.depth.reset();
    this.oldest.reset();
    for (const store of this.stores) {
      // A database that is down must not take the other metrics with it.
      const depths = await store.depth().catch(() => []);
      for (const { status, count, oldestSeconds } of depths) {
        this.depth.set({ lane: store.lane.name, status }, count);
        this.oldest.set({ lane: store.lane.name, status }, oldestSeconds);
      }
    }
  }
}
