import { randomInt } from 'node:crypto';

/** No look-alikes (0 o, 1 i l): it is read out, or copied from a slip of paper. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;
const SHAPE = new RegExp(
  `^[${ALPHABET}]{${GROUP_LENGTH}}(?:-[${ALPHABET}]{${GROUP_LENGTH}}){${GROUPS - 1}}$`,
);

/** 31 letters, 20 of them: 99 bits. */
export function makeTemporaryPassword(): string {
  const letter = () => ALPHABET.charAt(randomInt(ALPHABET.length));
  const group = () => Array.from({ length: GROUP_LENGTH }, letter).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** Once used, nothing of a temporary password is kept to compare with; what looks like one may not stay. */
export function looksTemporary(password: string): boolean {
  return SHAPE.test(password.trim().toLowerCase());
}
