import { types } from 'node:util';
import { errorCode } from '../error-code.ts';
import { scrubText } from './scrub-text.ts';

const SECRET_KEY =
  /^(authorization|proxy-authorization|cookie|set-cookie|pfx|pin|jwt)$|(password|passphrase|senha|secret|token|api[-_]?key|private[-_]?key|certificate|credential)s?$/i;
const PAYLOAD_KEY = /^(body|raw-?body|payload|parameters|query)$/i;
const MAX_DEPTH = 6;
const MAX_ITEMS = 50;

/** A copy that may be written to the log: secret and payload fields by name, personal data by its looks, nothing endless. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (types.isNativeError(value)) return redactError(value, depth);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ITEMS)
      .map(([key, field]) => [scrubText(key), redactField(key, field, depth)]),
  );
}

function redactField(key: string, field: unknown, depth: number): unknown {
  if (SECRET_KEY.test(key)) return '[redacted]';
  if (PAYLOAD_KEY.test(key)) return '[omitted]';
  return redact(field, depth + 1);
}

/** Only what every error has: drivers hang statements and parameters on theirs. */
function redactError(error: Error, depth: number): unknown {
  const code = errorCode(error);
  return {
    type: error.name,
    message: scrubText(error.message),
    ...(code !== undefined && { code }),
    stack: scrubText(error.stack ?? ''),
    ...(error.cause !== undefined && { cause: redact(error.cause, depth + 1) }),
  };
}
