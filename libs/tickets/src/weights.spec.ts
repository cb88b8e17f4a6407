import fc from 'fast-check';
import { expect, it } from '@jest/globals';
import { areConsistent, isWeight, MAX_WEIGHT } from './weights.ts';

it.each([0, 0.001, 1, 30_000.5, MAX_WEIGHT])('%p is a weight', (value) => {
  expect(isWeight(value)).toBe(true);
});

it.each([-1, -0.001, 0.0005, 1.23456, MAX_WEIGHT + 1, NaN, Infinity, '1', null, undefined])(
  '%p is no weight',
  (value) => {
    expect(isWeight(value)).toBe(false);
  },
);

it('gross less tare is net to the gram, and nothing else is', () => {
  fc.assert(
    fc.property(fc.nat(4_999_999_999), fc.nat(4_999_999_999), fc.integer(), (tare, net, off) => {
      const weights = (netGrams: number) => ({
        grossWeight: (tare + net) / 1000,
        tareWeight: tare / 1000,
        netWeight: netGrams / 1000,
      });
      expect(isWeight(weights(net).grossWeight)).toBe(true);
      expect(areConsistent(weights(net))).toBe(true);
      expect(areConsistent(weights(net + off))).toBe(off === 0);
    }),
  );
});
