import { isEmail } from 'class-validator';

export const MAX_EMAIL = 254;
export const MIN_NAME = 2;
export const MAX_NAME = 100;

const PRINTABLE_ASCII = /^[\x21-\x7e]+$/;
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** As it is stored and compared; undefined when it is none. */
export function normaliseEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= MAX_EMAIL && PRINTABLE_ASCII.test(email) && isEmail(email) ? email : undefined;
}

export function normaliseName(text: string): string | undefined {
  const name = text.trim();
  // Counted as SQL Server counts: a character outside the basic plane is two.
  return name.length >= MIN_NAME && name.length <= MAX_NAME && !UNPRINTABLE.test(name) ? name : undefined;
}
