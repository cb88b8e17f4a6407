import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fold } from './search-text.ts';

it.each([
  ['Férias', 'ferias'],
  [' OFÍCIO ', 'oficio'],
  ['Ação nº 5', 'acao nº 5'],
  ['100%_[x]', '100%_[x]'],
  ['🚚', '🚚'],
])('folds %j to %j', (text, folded) => {
  expect(fold(text)).toBe(folded);
});

it('finds a text by itself, however it was typed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), (text) => {
      expect(fold(text.toUpperCase().normalize('NFD'))).toBe(fold(text.toUpperCase()));
      expect(fold(fold(text))).toBe(fold(text));
    }),
  );
});
