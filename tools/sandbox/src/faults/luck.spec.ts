import { expect, it } from '@jest/globals';
import { Luck } from './luck.ts';

const draws = Array.from({ length: 2_000 }, (_, index) => new Luck(7, `key-${index}`, 1));

it('strikes as often as the chance says', () => {
  const struck = (chance: number) => draws.filter((luck) => luck.strikes('reset', chance)).length;

  expect(struck(0)).toBe(0);
  expect(struck(0.25)).toBeGreaterThan(430);
  expect(struck(0.25)).toBeLessThan(570);
  expect(struck(1)).toBe(2_000);
});

it('is another for every seed, name, key and attempt, and the same for the same', () => {
  const lucks = [
    new Luck(7, 'k', 1).of('reset'),
    new Luck(8, 'k', 1).of('reset'),
    new Luck(7, 'l', 1).of('reset'),
    new Luck(7, 'k', 2).of('reset'),
    new Luck(7, 'k', 1).of('tooMany'),
  ];

  expect(new Set(lucks).size).toBe(5);
  expect(new Luck(7, 'k', 1).of('reset')).toBe(lucks[0]);
});

it('draws from a whole range', () => {
  const drawn = new Set(draws.map((luck) => luck.between('latencyMs', [3, 6])));

  expect([...drawn].toSorted()).toEqual([3, 4, 5, 6]);
  expect(new Luck(7, 'k', 1).between('latencyMs', [5, 5])).toBe(5);
});
