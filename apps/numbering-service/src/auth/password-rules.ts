import { AppError } from '@malote/app-error';
import { hasControlCharacters, normalisePassword } from './password-text.ts';
import { looksTemporary } from './temporary-password.ts';

export const MIN_PASSWORD = 15;
export const MAX_PASSWORD = 128;
const MIN_NAME_PART = 4;

export type PasswordProblem =
  | 'password-control-characters'
  | 'password-too-short'
  | 'password-too-long'
  | 'password-unchanged'
  | 'password-personal'
  | 'password-guessable';

const MESSAGES: Readonly<Record<PasswordProblem, string>> = {
  'password-control-characters': 'The password has characters that cannot be typed',
  'password-too-short': `The password must have ${MIN_PASSWORD} characters or more; several words do well`,
  'password-too-long': `The password must not have more than ${MAX_PASSWORD} characters`,
  'password-unchanged': 'The password must be another one than before',
  'password-personal':
    'The password must not contain your name, your e-mail address or the name of this place',
  'password-guessable': 'The password is too easy to guess',
};

export interface PasswordOwner {
  readonly name: string;
  readonly email: string;
  /** Words everybody here would try first. */
  readonly contextWords: readonly string[];
  /** As it was typed to prove who is asking, where there is one. */
  readonly currentPassword: string | undefined;
}

/** All that is wrong with a password but how easily it is guessed, which takes a dictionary. */
export function passwordProblem(password: string, owner: PasswordOwner): PasswordProblem | undefined {
  const text = normalisePassword(password);
  const length = Array.from(text).length;
  if (hasControlCharacters(text)) return 'password-control-characters';
  if (length < MIN_PASSWORD) return 'password-too-short';
  if (length > MAX_PASSWORD) return 'password-too-long';
  if (isSame(text, owner.currentPassword) || looksTemporary(text)) return 'password-unchanged';
  const folded = fold(text);
  return personalWords(owner).some((word) => folded.includes(word)) ? 'password-personal' : undefined;
}

export function passwordRefused(problem: PasswordProblem): AppError {
  const message = MESSAGES[problem];
  return new AppError('invalid', problem, message, {
    fields: [{ pointer: '/newPassword', code: problem, message }],
  });
}

function isSame(text: string, current: string | undefined): boolean {
  return current !== undefined && normalisePassword(current) === text;
}

function personalWords({ name, email, contextWords }: PasswordOwner): string[] {
  const nameParts = fold(name).split(/[^\p{L}\p{N}]+/u);
  const localPart = fold(email.split('@', 1)[0] ?? '');
  return [
    ...[...nameParts, localPart].filter((part) => part.length >= MIN_NAME_PART),
    ...contextWords.map(fold).filter((word) => word !== ''),
  ];
}

/** Without case and accents. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();
}
