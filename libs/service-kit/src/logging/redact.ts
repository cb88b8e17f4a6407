import { types } from 'node:util';
import { isCnpj, isCpf } from '@malote/brazil';
import { errorCode } from '../error-code.ts';
import { scrubText } from './scrub-text.ts';
import { fieldName } from './sensitive-key.ts';

const MAX_DEPTH = 6;
const MAX_ITEMS = 50;
const SHORTEST_TAX_ID = 10_000_000_000;
const MOBILE = /^[1-9]{2}9\d{8}$/;
const INTERNATIONAL = /^55[1-9]{2}(?:9\d{8}|[2-5]\d{7})$/;
const UNREADABLE = '[unreadable]';

/**
 * A copy that may be written to the log: secret and payload fields by name, personal data by its looks, nothing endless. It
 * never throws, whatever getters and `toJSON` do, and holds no function that could speak up when it is written.
 */
export function redact(value: unknown, depth = 0): unknown {
  try {
    return redactValue(value, depth);
  } catch {
    return UNREADABLE;
  }
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (typeof value === 'number') return maskOf(value) ?? value;
  if (typeof value === 'bigint') return maskOf(value) ?? value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[deep]';
  // What `fetch` throws when its time is up.
  if (types.isNativeError(value) || value instanceof DOMException) return redactError(value, depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => redact(item, depth + 1));
  // `JSON.stringify` would ask it too, and write what it says as it is.
  if (hasToJson(value)) return redact(value.toJSON(), depth + 1);
  return redactFields(value as Record<string, unknown>, depth);
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function redactFields(value: Record<string, unknown>, depth: number): object {
  const copy: [string, unknown][] = [];
  for (const key of Object.keys(value).slice(0, MAX_ITEMS)) {
    const { text, kind } = fieldName(key);
    copy.push([text, kind === 'payload' ? '[omitted]' : redactField(value, key, kind, depth)]);
  }
  return Object.fromEntries(copy);
}

function redactField(
  holder: Record<string, unknown>,
  key: string,
  kind: 'secret' | 'measure' | 'plain',
  depth: number,
): unknown {
  try {
    const field = holder[key];
    // Whether there is a secret is none.
    if (kind === 'secret') return typeof field === 'boolean' || field == null ? field : '[redacted]';
    if (kind === 'measure' && typeof field === 'number') return field;
    if (kind === 'measure' && typeof field === 'bigint') return field.toString();
    return redact(field, depth + 1);
  } catch {
    return UNREADABLE;
  }
}

/** As a number, only what its check digits or its form give away: most large numbers in a log are ids and sizes. */
function maskOf(value: number | bigint): string | undefined {
  if (value < SHORTEST_TAX_ID) return undefined;
  const digits = String(value);
  if (digits.length === 11 && isCpf(digits)) return '[cpf]';
  if (digits.length === 14 && isCnpj(digits)) return '[cnpj]';
  return MOBILE.test(digits) || INTERNATIONAL.test(digits) ? '[phone]' : undefined;
}

/** Only what every error has: drivers hang statements and parameters on theirs. */
function redactError(error: Error, depth: number): unknown {
  const code = errorCode(error);
  return {
    type: scrubText(error.name),
    message: scrubText(error.message),
    ...(code !== undefined && { code: scrubText(code) }),
    stack: scrubText(error.stack ?? ''),
    ...(error.cause !== undefined && { cause: redact(error.cause, depth + 1) }),
  };
}
