import { describe, expect, it } from '@jest/globals';
import { planOf, type Strike } from './plan.ts';

const SIZE = { numbers: 1_000, kills: 12, midTransactionKills: 9, unansweredKills: 5 };

describe('the plan', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(planOf(7, SIZE)).toEqual(planOf(7, SIZE));
    expect(planOf(7, SIZE)).not.toEqual(planOf(8, SIZE));
  });

  it('has every event it was asked for, in order, and before the last number', () => {
    const plan = planOf(7, SIZE);
    const deaths = (strike: Strike) => (strike.kind === 'midnight' ? strike.dooms.length : 1);
    expect(plan.filter(({ kind }) => kind === 'kill')).toHaveLength(12);
    expect(plan.reduce((sum, strike) => sum + deaths(strike), 0)).toBe(12 + 9 + 5);
    const moments = plan.map(({ after }) => after);
    expect(moments).toEqual(moments.toSorted((a, b) => a - b));
    expect(moments.at(-1)).toBeLessThan(1_000);
  });

  it('turns the year in the middle, also when nobody is to die', () => {
    const [midnight, ...others] = planOf(7, {
      numbers: 1_000,
      kills: 0,
      midTransactionKills: 0,
      unansweredKills: 0,
    });
    expect(midnight).toMatchObject({ kind: 'midnight', dooms: [] });
    expect(midnight?.after).toBeGreaterThan(300);
    expect(midnight?.after).toBeLessThan(600);
    expect(others).toEqual([]);
  });
});
