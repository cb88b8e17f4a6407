import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backoffMs } from './backoff.ts';
import { FISCAL_RETRY, OUTBOX_RETRY } from './retry-config.ts';

const ALMOST_ONE = 1 - Number.EPSILON;

const anyConfig = fc
  .record({
    maxAttempts: fc.integer({ min: 1, max: 20 }),
    baseMs: fc.integer({ min: 1, max: 60_000 }),
    factor: fc.double({ min: 1, max: 10, noNaN: true }),
    extraMs: fc.nat({ max: 3_600_000 }),
  })
  .map(({ extraMs, ...config }) => ({ ...config, capMs: config.baseMs + extraMs }));
const anyAttempt = fc.integer({ min: 1, max: 2_000 });
const anyDraw = fc.double({ min: 0, max: ALMOST_ONE, noNaN: true });

describe('backoffMs', () => {
  it('doubles the ceiling from one second for fiscal calls and stops at thirty', () => {
    const ceilings = [1, 2, 3, 6, 50].map((attempt) => backoffMs(FISCAL_RETRY, attempt, () => ALMOST_ONE));
    expect(ceilings).toEqual([1_000, 2_000, 4_000, 30_000, 30_000]);
  });

  it('quadruples the ceiling from five seconds for deliveries and stops at an hour', () => {
    const ceilings = [1, 2, 3, 4, 9].map((attempt) => backoffMs(OUTBOX_RETRY, attempt, () => ALMOST_ONE));
    expect(ceilings).toEqual([5_000, 20_000, 80_000, 320_000, 3_600_000]);
  });

  it('waits a tenth of the base even when the dice say nothing', () => {
    expect(backoffMs(FISCAL_RETRY, 3, () => 0)).toBe(100);
    expect(backoffMs(OUTBOX_RETRY, 1, () => 0)).toBe(500);
  });

  it('spreads evenly over the whole range', () => {
    expect(backoffMs(OUTBOX_RETRY, 2, () => 0.5)).toBe(10_250);
  });

  it('stays between the shortest wait and the ceiling, in whole milliseconds and never at once', () => {
    fc.assert(
      fc.property(anyConfig, anyAttempt, anyDraw, (config, attempt, draw) => {
        const waitMs = backoffMs(config, attempt, () => draw);
        const ceiling = Math.min(config.capMs, Math.round(config.baseMs * config.factor ** (attempt - 1)));
        expect(Number.isInteger(waitMs)).toBe(true);
        expect(waitMs).toBeGreaterThan(0);
        expect(waitMs).toBeGreaterThanOrEqual(config.baseMs / 10);
        expect(waitMs).toBeLessThanOrEqual(ceiling);
      }),
    );
  });

  it('never waits less after a later attempt for the same draw', () => {
    fc.assert(
      fc.property(anyConfig, anyAttempt, anyDraw, (config, attempt, draw) => {
        const earlier = backoffMs(config, attempt, () => draw);
        expect(backoffMs(config, attempt + 1, () => draw)).toBeGreaterThanOrEqual(earlier);
      }),
    );
  });
});
