import { expect, it } from '@jest/globals';
import { looksTemporary, makeTemporaryPassword } from './temporary-password.ts';

it('is four groups of five, without look-alikes, and never the same', () => {
  const made = Array.from({ length: 500 }, makeTemporaryPassword);
  for (const password of made) expect(password).toMatch(/^[a-hjkmnp-z2-9]{5}(?:-[a-hjkmnp-z2-9]{5}){3}$/);
  expect(new Set(made).size).toBe(made.length);
});

it('uses every letter of its alphabet', () => {
  const letters = new Set(Array.from({ length: 500 }, makeTemporaryPassword).join('').replaceAll('-', ''));
  expect(letters.size).toBe(31);
});

it('is known by its looks', () => {
  expect(looksTemporary(makeTemporaryPassword())).toBe(true);
  expect(looksTemporary('pinguim lavou quatro violinos')).toBe(false);
});
