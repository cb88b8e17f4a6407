import { expect, it } from '@jest/globals';
import { normaliseEmail, normaliseName } from './user-rules.ts';

it.each([
  [' Ana.Souza@Itajai.SC.gov.br ', 'ana.souza@itajai.sc.gov.br'],
  ['ana+numeros@itajai.example', 'ana+numeros@itajai.example'],
  ['ana', undefined],
  ['ana@', undefined],
  ['ana@localhost', undefined],
  ['ana@itajaí.example', undefined],
  ['aná@itajai.example', undefined],
  ['Ana <ana@itajai.example>', undefined],
  [`${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`, undefined],
])('the e-mail address %j becomes %j', (given, email) => {
  expect(normaliseEmail(given)).toBe(email);
});

it.each([
  ['  Ana Souza ', 'Ana Souza'],
  ['Jô', 'Jô'],
  [' A ', undefined],
  ['x'.repeat(100), 'x'.repeat(100)],
  ['x'.repeat(101), undefined],
  ['💐'.repeat(51), undefined],
  ['Ana\nSouza', undefined],
  ['Ana \ud83d', undefined],
])('the name %j becomes %j', (given, name) => {
  expect(normaliseName(given)).toBe(name);
});
