import { describe, expect, it } from '@jest/globals';
import { figure } from './figure.ts';
import { median, percentile } from './statistics.ts';

describe('a figure', () => {
  it('carries the limit of the same run and what is reached of it', () => {
    expect(
      figure({ figure: 'outbox.delivered', value: 21_000.4, unit: '/s', limit: 30_000, aim: '>=0.7' }),
    ).toEqual({
      figure: 'outbox.delivered',
      value: 21_000,
      unit: '/s',
      limit: 30_000,
      ratio: 0.7,
      aim: '>=0.7',
    });
  });

  it('says null where nothing limits it', () => {
    expect(figure({ figure: 'outbox.idle', value: 0.9876, unit: '/s', aim: '<=1' })).toMatchObject({
      value: 0.988,
      limit: null,
      ratio: null,
    });
  });
});

describe('statistics of samples', () => {
  it('take the middle, and the value that so many per cent do not exceed', () => {
    const samples = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([median([3, 1, 2]), percentile(samples, 50), percentile(samples, 99)]).toEqual([2, 50, 99]);
  });

  it('refuse to make one up when there are no samples', () => {
    expect(() => median([])).toThrow('No samples');
  });
});
