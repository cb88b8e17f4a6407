import { expect, it } from '@jest/globals';
import { validateSync } from 'class-validator';
import { IsText } from './text.ts';

class Letter {
  @IsText(2, 5)
  subject: unknown;
}

const accepts = (subject: unknown) => validateSync(Object.assign(new Letter(), { subject })).length === 0;

it.each(['ab', 'ação', ' ab ', '🚚ab', 'a\u200db'])('takes %j', (subject) => {
  expect(accepts(subject)).toBe(true);
});

it.each([
  ['too short', 'a'],
  ['blanks only', '   '],
  ['too long', 'abcdef'],
  ['five characters to people, seven to the column', '🚚🚚abc'],
  ['two lines', 'a\nb'],
  ['a control character', 'a\u0000b'],
  ['invisible characters only', '\u200b\u200b\u200b'],
  ['two lines of another kind', 'a\u2028b'],
  ['text that runs backwards', '\u202egnp.exe'.slice(0, 5)],
  ['half a character', 'ab\ud83d'],
  ['a number', 12],
  ['nothing', undefined],
])('refuses %s', (_name, subject) => {
  expect(accepts(subject)).toBe(false);
});
