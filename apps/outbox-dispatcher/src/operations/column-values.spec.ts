import { expect, it } from '@jest/globals';
import { timeIn } from './column-values.ts';

it('invents no time where a column that must have one has none', () => {
  expect(timeIn('2026-07-01 12:00:00')).toEqual(new Date('2026-07-01T12:00:00Z'));
  expect(() => timeIn(null)).toThrow('Not a time: null');
});
