import { describe, expect, it } from '@jest/globals';
import { Budget } from './budget.ts';

describe('the budget of a process', () => {
  it('grants no more rows than there is room for, claims under way included', () => {
    const budget = new Budget({ rows: 10, bytes: 1_000_000_000 });
    expect(budget.reserve(8)).toBe(8);
    expect(budget.reserve(8)).toBe(2);
    expect(budget.reserve(8)).toBe(0);
    budget.claimed(8, [100, 100]);
    expect(budget.reserve(8)).toBe(6);
  });

  it('claims few rows before it knows how large they are, and from then on as many as would fit', () => {
    const mebibyte = 1024 * 1024;
    const budget = new Budget({ rows: 1_000, bytes: 64 * mebibyte });
    const first = budget.reserve(1_000);
    expect(first).toBe(64);
    budget.claimed(first, Array<number>(first).fill(mebibyte / 2));
    expect(budget.reserve(1_000)).toBeLessThanOrEqual(64);
    expect(budget.inHand.bytes).toBe(32 * mebibyte);
  });

  it('remembers a large row for a while: others like it may follow', () => {
    const budget = new Budget({ rows: 1_000, bytes: 10_000 });
    const claim = (size: number) => {
      budget.claimed(budget.reserve(1), [size]);
      budget.released(size);
    };
    const claimSmallOnes = () => {
      for (let n = 0; n < 2_000; n += 1) claim(10);
    };
    claimSmallOnes();
    claim(5_000);
    for (let n = 0; n < 10; n += 1) claim(10);
    expect(budget.reserve(1_000)).toBe(2);
    budget.claimed(2, []);
    claimSmallOnes();
    expect(budget.reserve(1_000)).toBe(1_000);
  });

  it('lets one larger than all of it pass when nothing else is in hand', () => {
    const budget = new Budget({ rows: 10, bytes: 10 });
    expect(budget.reserve(5)).toBe(1);
    budget.claimed(1, [5_000]);
    expect(budget.reserve(5)).toBe(0);
    budget.released(5_000);
    expect(budget.reserve(5)).toBe(1);
  });

  it('leaves room for whoever comes next, however many have come before and keep what they got', () => {
    const budget = new Budget({ rows: 2_000, bytes: 1_000_000_000_000 });
    for (let target = 0; target < 50; target += 1) {
      for (let inHand = 0, more = budget.share(1, 0); more > 0; more = budget.share(1, inHand)) {
        budget.claimed(budget.reserve(more), Array<number>(more).fill(10));
        inHand += more;
      }
    }
    expect(budget.share(1, 0)).toBeGreaterThan(0);
  });

  it('divides evenly among those who come together, and leaves as much as eight of them get', () => {
    const budget = new Budget({ rows: 2_000, bytes: 1_000_000_000_000 });
    expect(budget.share(492, 0)).toBe(4);
    expect(budget.share(10, 20)).toBe(Math.floor((2_000 - 160) / 18));
    expect(budget.share(10, 300)).toBe(0);
  });

  it('tells those who were granted nothing that there is room again', () => {
    const budget = new Budget({ rows: 2, bytes: 1_000_000_000 });
    let told = 0;
    budget.onRoom(() => (told += 1));
    budget.claimed(budget.reserve(2), [10, 10]);
    budget.released(10);
    expect(told).toBe(0);

    const underWay = budget.reserve(2);
    expect(budget.reserve(1)).toBe(0);
    budget.claimed(underWay, []);
    expect(told).toBe(1);

    budget.claimed(budget.reserve(1), [10]);
    expect(budget.reserve(1)).toBe(0);
    budget.released(10);
    expect(told).toBe(2);
    budget.released(10);
    expect(told).toBe(2);
  });

  describe('lets a row be alone', () => {
    const large = () => new Budget({ rows: 10, bytes: 1_000_000_000 });

    it('once no delivery is under way, whatever else is in hand', async () => {
      const budget = large();
      budget.claimed(budget.reserve(3), [10, 10, 10]);
      budget.begun();
      let isAlone: boolean | undefined;
      const waiting = budget.becomeAlone().then((alone) => (isAlone = alone));
      expect(budget.hasLoner).toBe(true);
      expect(budget.reserve(1)).toBe(0);
      await Promise.resolve();
      expect(isAlone).toBeUndefined();
      budget.ended();
      await waiting;
      expect(isAlone).toBe(true);
      expect(budget.reserve(1)).toBe(0);
      budget.leaveAlone();
      expect(budget.hasLoner).toBe(false);
      expect(budget.reserve(1)).toBe(1);
    });

    it('when a claim that was under way brings nothing', async () => {
      const budget = large();
      const underWay = budget.reserve(5);
      const alone = budget.becomeAlone();
      budget.claimed(underWay, []);
      expect(await alone).toBe(true);
    });

    it('unless it is sent away', async () => {
      const budget = large();
      budget.begun();
      const waiting = budget.becomeAlone();
      budget.sendLonerAway();
      expect(await waiting).toBe(false);
      expect(budget.hasLoner).toBe(false);
    });

    it('and tells others when it begins to wait, and when it has left', async () => {
      const budget = large();
      const told: string[] = [];
      budget.onLoner(() => told.push('make way'));
      budget.onRoom(() => told.push('go on'));
      await budget.becomeAlone();
      budget.leaveAlone();
      expect(told).toEqual(['make way', 'go on']);
    });
  });
});
