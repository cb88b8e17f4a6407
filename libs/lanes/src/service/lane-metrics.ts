import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type Budget } from '../engine/budget.ts';
import { type LaneObserver } from '../engine/lane-observer.ts';
import { MAX_COUNTED } from '../lane/lane-sql.ts';
import { type LaneDepth, type LaneStore } from '../lane/lane-store.ts';

/** A count serves for so long; one that took long serves fifty times as long as it took, within a minute. */
const DEPTH_CACHE_MS = 5_000;
const DEPTH_CACHE_FACTOR = 50;
const LONGEST_DEPTH_CACHE_MS = 60_000;

/** Lane figures in Prometheus' words. What waits is counted when somebody looks, at most every few seconds. */
export class LaneMetrics {
  readonly observer: LaneObserver;
  private readonly stores: LaneStore[] = [];
  private counted: Promise<readonly Counted[]> | undefined;
  private countAgainAt = -Infinity;

  constructor(private readonly registry: Registry) {
    const registers = [registry];
    const counter = (name: string, help: string, labelNames = ['lane']) =>
      new Counter({ name, help, labelNames, registers });
    const attempts = counter('outbox_attempts_total', 'Deliveries and questions, by result', [
      'lane',
      'result',
    ]);
    const dead = counter('outbox_dead_total', 'Messages that gave up');
    const lost = counter('outbox_lost_leases_total', 'Rows another worker took over');
    const overdue = counter('outbox_overdue_total', 'Deliveries that did not end in time');
    const unresolved = counter(
      'outbox_unresolved_total',
      'Questions beyond their limit that left a message in doubt: a human has to look',
    );
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
    this.gauge(
      'outbox_depth',
      `Unfinished messages; of those that are dead, and of those that are parked, no more than ${MAX_COUNTED} are counted`,
      ({ count }) => count,
    );
    this.gauge(
      'outbox_oldest_seconds',
      'Age of the oldest unfinished message',
      (depth) => depth.oldestSeconds,
    );
    this.observer = {
      claimed: (lane, _count, seconds) => {
        claim.observe({ lane }, seconds);
      },
      attempted: (lane, result, seconds) => {
        attempts.inc({ lane, result });
        delivery.observe({ lane }, seconds);
      },
      settled: (lane, { verdict, needsHuman }) => {
        if (verdict === 'dead') dead.inc({ lane });
        if (needsHuman) unresolved.inc({ lane });
      },
      lostLease: (lane, count) => {
        lost.inc({ lane }, count);
      },
      overdue: (lane) => {
        overdue.inc({ lane });
      },
    };
  }

  watch(store: LaneStore): void {
    this.stores.push(store);
  }

  watchBudget(budget: Budget): void {
    new Gauge({
      name: 'outbox_rows_in_hand',
      help: 'Messages this process holds, of all lanes',
      registers: [this.registry],
      collect() {
        this.set(budget.inHand.rows);
      },
    });
    new Gauge({
      name: 'outbox_bytes_in_hand',
      help: 'Memory those messages take, about',
      registers: [this.registry],
      collect() {
        this.set(budget.inHand.bytes);
      },
    });
  }

  /** Each gauge waits for the same count: the registry reads them one by one, in no order that could be relied on. */
  private gauge(name: string, help: string, valueOf: (depth: LaneDepth) => number): void {
    const count = () => this.count();
    new Gauge({
      name,
      help,
      labelNames: ['lane', 'status'],
      registers: [this.registry],
      async collect() {
        const counted = await count();
        this.reset();
        for (const { lane, depth } of counted) this.set({ lane, status: depth.status }, valueOf(depth));
      },
    });
  }

  private count(): Promise<readonly Counted[]> {
    if (!this.counted || performance.now() >= this.countAgainAt) this.counted = this.countAll();
    return this.counted;
  }

  private async countAll(): Promise<Counted[]> {
    this.countAgainAt = Infinity;
    const counted: Counted[] = [];
    let restMs = DEPTH_CACHE_MS;
    for (const store of this.stores) {
      try {
        const began = performance.now();
        const depths = await store.depth();
        restMs += (performance.now() - began) * DEPTH_CACHE_FACTOR;
        counted.push(...depths.map((depth) => ({ lane: store.lane.name, depth })));
      } catch {
        // A database that is down must not take the other metrics with it.
      }
    }
    this.countAgainAt = performance.now() + Math.min(restMs, LONGEST_DEPTH_CACHE_MS);
    return counted;
  }
}

interface Counted {
  readonly lane: string;
  readonly depth: LaneDepth;
}
