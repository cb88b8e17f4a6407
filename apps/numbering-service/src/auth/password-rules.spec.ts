import { expect, it } from '@jest/globals';
import { isGuessable } from './password-guesses.ts';
import { passwordProblem, passwordRefused } from './password-rules.ts';
import { makeTemporaryPassword } from './temporary-password.ts';

const OWNER = {
  name: 'João da Conceição Sá',
  email: 'jdc.sa@itajai.example',
  contextWords: ['procuradoria', 'Itajaí', 'pgm'],
  currentPassword: 'o gato roeu a rolha',
};

it.each([
  ['quinze letras!!', undefined],
  ['quatorze letra', 'password-too-short'],
  ['💐'.repeat(14), 'password-too-short'],
  ['💐'.repeat(15), undefined],
  ['x'.repeat(128), undefined],
  ['x'.repeat(129), 'password-too-long'],
  ['um texto com\ttabulador', 'password-control-characters'],
  ['um texto com \0 no meio', 'password-control-characters'],
  ['meio par \ud83d de emoji', 'password-control-characters'],
  ['o gato roeu a rolha', 'password-unchanged'],
  ['O gato roeu a rolha', undefined],
  [makeTemporaryPassword(), 'password-unchanged'],
  [` ${makeTemporaryPassword().toUpperCase()}`, 'password-unchanged'],
  ['adoro o JOAO todo dia', 'password-personal'],
  ['viva conceição para sempre', 'password-personal'],
  ['meu mail e jdc.sa mesmo', 'password-personal'],
  ['minha Procuradoria linda', 'password-personal'],
  ['praias de ITAJAÍ no verao', 'password-personal'],
  ['a senha da pgm para hoje', 'password-personal'],
  ['nada de mais, sabe?', undefined],
] as const)('%j: %s', (password, problem) => {
  expect(passwordProblem(password, OWNER)).toBe(problem);
});

it('does not mind the current password where there was none', () => {
  expect(passwordProblem('o gato roeu a rolha', { ...OWNER, currentPassword: undefined })).toBeUndefined();
});

it('says which field it is about', () => {
  expect(passwordRefused('password-too-short')).toMatchObject({
    kind: 'invalid',
    code: 'password-too-short',
    fields: [{ pointer: '/newPassword', code: 'password-too-short' }],
  });
});

it.each([
  'password123456789',
  'minhasenhasecreta',
  '123456789012345',
  'qwertyuiopasdfghjkl',
  'senhasenhasenha',
  `${'senha'.repeat(6)}Xk29!vvQp0-zzT7aa`,
])('%s is easy to guess', async (password) => {
  expect(await isGuessable(password)).toBe(true);
});

it.each(['pinguim lavou quatro violinos', 'mesa cadeira janela', 'Xk29!vvQp0-zzT7aa'])(
  '%s is not',
  async (password) => {
    expect(await isGuessable(password)).toBe(false);
  },
);

it('judges the longest password in no time', async () => {
  await isGuessable('load the dictionaries');
  const started = performance.now();
  await isGuessable('4@5$0l!1'.repeat(16));
  expect(performance.now() - started).toBeLessThan(2000);
});
