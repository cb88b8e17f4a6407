import { AppError } from '@malote/app-error';
import { hasLoneSurrogate } from './lone-surrogate.ts';

export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Far deeper than any document we take, far shallower than the stack. */
const MAX_DEPTH = 200;

/**
 * One text per value (RFC 8785, JCS): keys sorted by UTF-16 code units, numbers and strings as ECMAScript writes
 * them. What has no such text is refused, and a client can send it: `JSON.parse` reads `1e999` as Infinity.
 */
export function canonicalJson(value: JsonValue): string {
  return write(value, '', 0);
}

/** Takes `unknown`, because what is undefined, a Date or a bigint at run time must not pass for another value. */
function write(value: unknown, pointer: string, depth: number): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value === 'string') return writeString(value, pointer);
  if (typeof value !== 'object') throw refused(pointer, `${typeof value} is no JSON value`);
  if (depth === MAX_DEPTH) throw refused(pointer, `more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) {
    const items = Array.from(value, (item, index) => write(item, `${pointer}/${index}`, depth + 1));
    return `[${items.join(',')}]`;
  }
  if (!isPlain(value)) throw refused(pointer, 'only plain objects are JSON values');
  const members = Object.keys(value)
    .sort()
    .map((key) => {
      const inside = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return `${writeString(key, inside)}:${write(Reflect.get(value, key), inside, depth + 1)}`;
    });
  return `{${members.join(',')}}`;
}

function writeString(text: string, pointer: string): string {
  if (hasLoneSurrogate(text)) throw refused(pointer, 'half of a surrogate pair is no character');
  return JSON.stringify(text);
}

/** Of any realm, hence by the length of the prototype chain. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function refused(pointer: string, message: string): AppError {
  return new AppError('invalid', 'no-canonical-json', `The content has no canonical JSON form: ${message}`, {
    fields: [{ pointer, code: 'no-canonical-json', message }],
  });
}
