import { AppError } from '@malote/app-error';

/** A structured-field string (RFC 9651, section 3.3.3), as draft-ietf-httpapi-idempotency-key-header asks for. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
/** What most clients send instead. No blank, comma or quote: those come from two headers joined into one. */
const BARE = /^[!#-+\--~]+$/;

/** The client's key, or undefined when it sent none; `"abc"` and `abc` are the same key. */
export function idempotencyKeyFrom(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const value = header.trim();
  const key = BARE.test(value) ? value : QUOTED.exec(value)?.[1]?.replace(/\\(.)/g, '$1');
  if (key === undefined || key.length < 1 || key.length > 255) {
    throw new AppError(
      'invalid',
      'invalid-idempotency-key',
      'Idempotency-Key must be 1 to 255 printable ASCII characters, quoted or without blanks and commas',
    );
  }
  return key;
}
