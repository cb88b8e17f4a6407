import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Registry } from 'prom-client';
import { type LaneDepth, type LaneStore } from '../lane/lane-store.ts';
import { LaneMetrics } from './lane-metrics.ts';

/** A lane whose count takes its time, and may fail. */
class SlowLane {
  counts = 0;
  takesMs = 0;
  isAway = false;
  readonly lane = { name: 'slow' };

  async depth(): Promise<LaneDepth[]> {
    this.counts += 1;
    const { isAway } = this;
    await jest.advanceTimersByTimeAsync(this.takesMs);
    if (isAway) throw new Error('the database is away');
    return [{ status: 'Pending', count: 7, oldestSeconds: 60 }];
  }
}

describe('what is counted when somebody looks', () => {
  let lane: SlowLane;
  let registry: Registry;

  beforeEach(() => {
    jest.useFakeTimers();
    lane = new SlowLane();
    registry = new Registry();
    new LaneMetrics(registry).watch(lane as unknown as LaneStore);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const shown = async () => /outbox_oldest_seconds\{.*\} (\d+)/.exec(await registry.metrics())?.[1];
  const after = async (ms: number) => {
    await jest.advanceTimersByTimeAsync(ms);
    return shown();
  };

  it('serves for five seconds', async () => {
    expect([await shown(), await after(4_000)]).toEqual(['60', '60']);
    expect(lane.counts).toBe(1);
    await after(2_000);
    expect(lane.counts).toBe(2);
  });

  it('serves longer when it took long, and never longer than a minute', async () => {
    lane.takesMs = 400;
    await shown();
    await after(20_000);
    expect(lane.counts).toBe(1);
    lane.takesMs = 30_000;
    await after(6_000);
    expect(lane.counts).toBe(2);
    await after(61_000);
    expect(lane.counts).toBe(3);
  });

  it('is counted again soon after the database was away, however long that took to show', async () => {
    lane.takesMs = 20_000;
    lane.isAway = true;
    expect(await shown()).toBeUndefined();
    lane.isAway = false;
    lane.takesMs = 0;
    expect(await after(6_000)).toBe('60');
  });
});
