import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from './canonical-json.ts';

export interface RequestContent {
  readonly method: string;
  /** The path as called, identifiers included. */
  readonly route: string;
  readonly body?: JsonValue | undefined;
}

/** SHA-256, in hex, of what a request asks for: key order and blanks do not matter, any value does. */
export function fingerprint({ method, route, body }: RequestContent): string {
  const content = [method.toUpperCase(), route, ...(body === undefined ? [] : [body])];
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}

/** What a request is to the one stored under the same key. */
export type RequestMatch = 'new' | 'replay' | 'mismatch';

export function matchRequest(
  stored: { readonly fingerprint: string } | undefined,
  incoming: string,
): RequestMatch {
  if (stored === undefined) return 'new';
  return stored.fingerprint === incoming ? 'replay' : 'mismatch';
}
