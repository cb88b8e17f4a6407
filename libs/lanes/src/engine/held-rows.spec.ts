import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type LaneMessage } from '../lane/lane.ts';
import { Held } from './held-rows.ts';

const LEASE_MS = 15_000;

describe('a row that is held', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const hold = () => new Held({ id: '1' } as LaneMessage, 0, 0, performance.now(), LEASE_MS, 1_000);

  it('may leave until shortly before its lease is over, or for longer when that is renewed', () => {
    const held = hold();
    jest.advanceTimersByTime(LEASE_MS * 0.8);
    expect([held.mayLeave(), held.wasTooLate]).toEqual([true, false]);
    held.renewed(performance.now());
    jest.advanceTimersByTime(LEASE_MS * 0.8);
    expect(held.mayLeave()).toBe(true);
    jest.advanceTimersByTime(LEASE_MS * 0.2);
    expect([held.mayLeave(), held.wasTooLate]).toEqual([false, true]);
  });

  it('may not leave after the machine was suspended, which one of the clocks does not count', () => {
    const held = hold();
    jest.setSystemTime(Date.now() + LEASE_MS);
    expect([held.mayLeave(), held.wasTooLate]).toEqual([false, true]);
  });
});
