import { expect, it } from '@jest/globals';
import { type Dialect } from '@malote/persistence';
import { type Lane } from '../lane/lane.ts';
import { rowConditions } from './row-filter.ts';
import { sampleLane } from '../testing/index.ts';

const noDialect = {} as Dialect;
const conditions = (filter: Parameters<typeof rowConditions>[2], lane: Lane = sampleLane) =>
  rowConditions(lane, noDialect, filter);

it('selects everything when nothing is given', () => {
  expect(conditions({})).toEqual({ and: '', parameters: {} });
});

it.each([
  ['[abc]', String.raw`%\[abc]%`],
  ['100%', String.raw`%100\%%`],
  ['_', String.raw`%\_%`],
  ['\\', String.raw`%\\%`],
  ["it's", "%it's%"],
  ['inválido', '%inv_lido%'],
])('looks for %s and not for what its signs mean to LIKE', (errorContains, error) => {
  expect(conditions({ errorContains })).toEqual({
    and: " AND t.LastError LIKE @error ESCAPE '\\'",
    parameters: { error },
  });
});

it('refuses a target when the lane has none, since it would select every row', () => {
  expect(() => conditions({ target: 'x' }, { ...sampleLane, target: null })).toThrow('delivers to no target');
});
