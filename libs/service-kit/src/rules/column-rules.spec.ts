import { expect, it } from '@jest/globals';
import { validateSync } from 'class-validator';
import { FitsVarchar, IsKey } from './column-rules.ts';

class Sample {
  @FitsVarchar(5)
  name: unknown = '';

  @IsKey(5)
  key: unknown = 'K';
}

const problems = (given: Partial<Sample>) =>
  validateSync(Object.assign(new Sample(), given)).map(({ constraints }) => Object.values(constraints ?? {}));

it.each(['', 'ÇÃO', '“a”–', 'a\tb', '€ œŸ'])('a VARCHAR holds %j', (name) => {
  expect(problems({ name })).toEqual([]);
});

it.each([
  ['abcdef', 'name must not be longer than 5 characters, and has 6'],
  ['a😀', 'name must be at most 5 characters of Windows-1252, which U+1F600 is not'],
  ['ł', 'name must be at most 5 characters of Windows-1252, which U+0142 is not'],
  ['\u0081', 'name must be at most 5 characters of Windows-1252, which U+0081 is not'],
  [7, 'name must be text'],
  [null, 'name must be text'],
])('a VARCHAR does not hold %j', (name, message) => {
  expect(problems({ name })).toEqual([[message]]);
});

it.each(['TCK', 'a b', '01/02', '~'])('%j is a key', (key) => {
  expect(problems({ key })).toEqual([]);
});

it.each(['', ' ', 'TCK ', ' TCK', 'T\tK', 'Ç', 'toolong', 7, null, undefined, ['T']])(
  '%j is no key',
  (key) => {
    expect(problems({ key })).toHaveLength(1);
  },
);
