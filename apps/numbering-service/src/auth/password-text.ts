import { createHash } from 'node:crypto';

/** bcrypt looks at this many bytes and passes over the rest in silence. */
const BCRYPT_BYTES = 72;
const UNTYPEABLE = /[\p{Cc}\p{Cs}]/u;

/** However a keyboard composes its letters, the same letters are the same password. */
export function normalisePassword(password: string): string {
  return password.normalize('NFKC');
}

/** Control characters, among them the one that ends a text for bcrypt, and halves of characters. */
export function hasControlCharacters(password: string): boolean {
  return UNTYPEABLE.test(password);
}

/** What bcrypt gets: the password, or a digest of one that is too long for it. */
export function bcryptMaterial(password: string): string {
  const text = normalisePassword(password);
  if (Buffer.byteLength(text) <= BCRYPT_BYTES) return text;
  return createHash('sha384').update(text).digest('base64');
}
