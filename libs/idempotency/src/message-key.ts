import { createHash } from 'node:crypto';
import { AppError } from '@malote/app-error';
import { hasLoneSurrogate } from './lone-surrogate.ts';

/** The `MessageKey` column is VARCHAR(200). */
const MAX_LENGTH = 200;
const HASH_LENGTH = 32;

/**
 * The key under which a message is enqueued at most once: `kind:part:part`, printable ASCII without blanks.
 * SQL Server's usual collation ignores case, so a key whose text is not the whole truth (upper-case letters, or
 * cut to fit) ends in `~` and a hash of the exact parts.
 */
export function messageKey(kind: string, ...parts: readonly (string | number)[]): string {
  const exact = [kind, ...parts].map((part) => encode(String(part))).join(':');
  if (exact.length <= MAX_LENGTH && exact === exact.toLowerCase()) return exact;
  const hash = createHash('sha256').update(exact).digest('hex').slice(0, HASH_LENGTH);
  return `${exact.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}~${hash}`;
}

/** Leaves `A-Z a-z 0-9 - _ .` and percent-encodes the rest, both separators among it. */
function encode(part: string): string {
  if (hasLoneSurrogate(part)) {
    throw new AppError('invalid', 'malformed-text', 'Half of a surrogate pair cannot be part of a key');
  }
  return encodeURIComponent(part)
    .replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
    .replace(/%../g, (escaped) => escaped.toLowerCase());
}
