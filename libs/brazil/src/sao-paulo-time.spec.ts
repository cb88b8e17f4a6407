import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { saoPauloTime, saoPauloYear } from './sao-paulo-time.ts';

it.each([
  ['2025-06-15T14:30:00.123Z', '2025-06-15T11:30:00-03:00'],
  ['2026-01-01T02:59:59.999Z', '2025-12-31T23:59:59-03:00'],
  ['2026-01-01T03:00:00.000Z', '2026-01-01T00:00:00-03:00'],
  // Summer time, abolished in 2019, moved midnight by an hour.
  ['2018-01-01T01:59:59.999Z', '2017-12-31T23:59:59-02:00'],
  ['2018-01-01T02:00:00.000Z', '2018-01-01T00:00:00-02:00'],
  ['2018-11-04T02:59:59.000Z', '2018-11-03T23:59:59-03:00'],
  ['2018-11-04T03:00:00.000Z', '2018-11-04T01:00:00-02:00'],
])('shows %s as %s', (moment, local) => {
  expect(saoPauloTime(new Date(moment))).toBe(local);
});

it.each([
  ['2026-01-01T02:59:59.999Z', 2025],
  ['2026-01-01T03:00:00.000Z', 2026],
])('takes %s for the year %i', (moment, year) => {
  expect(saoPauloYear(new Date(moment))).toBe(year);
});

it('names the same moment, whatever it was asked before', () => {
  const moments = fc.date({ min: new Date('2010-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(fc.array(moments, { minLength: 1, maxLength: 5 }), (dates) => {
      for (const moment of dates) {
        const seconds = Math.floor(moment.getTime() / 1000);
        expect(new Date(saoPauloTime(moment)).getTime() / 1000).toBe(seconds);
      }
    }),
  );
});
