import { isUtf8 } from 'node:buffer';
import { AppError } from '@malote/app-error';
import { findJsonFault } from './json-fault.ts';

export const MAX_JSON_DEPTH = 64;

/**
 * JSON as partners should send it. `JSON.parse` does the work; one pass over the text and one over the result then look for
 * signs of what it lets through: repeated keys, prototype tricks, broken Unicode, numbers that do not survive. Only a text
 * that shows a sign is read slowly, to name the place.
 */
export function parseStrictJson(body: Buffer): { readonly text: string; readonly value: unknown } {
  if (body.length === 0) throw new AppError('invalid', 'empty-body', 'The body is empty; JSON is expected');
  if (!isUtf8(body)) throw new AppError('invalid', 'malformed-json', 'The body is not valid UTF-8');
  const text = body.toString('utf8');
  const value = parse(text);
  const members = countMembers(value, 0);
  if (members === SUSPICIOUS || isSuspicious(text, members)) {
    const fault = findJsonFault(text, MAX_JSON_DEPTH);
    if (fault) throw new AppError('invalid', fault.code, fault.message, { fields: [fault] });
  }
  return { text, value };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // The engine's message quotes the body; only the position is passed on.
    const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
    const where = position === undefined ? '' : ` at position ${position}`;
    throw new AppError('invalid', 'malformed-json', `The body is not valid JSON${where}`);
  }
}

const SUSPICIOUS = -1;

/** How many object members the result has; duplicates have collapsed into one. */
function countMembers(value: unknown, depth: number): number {
  if (typeof value === 'number') {
    return Number.isInteger(value) && !Number.isSafeInteger(value)
      ? SUSPICIOUS
      : Number.isFinite(value)
        ? 0
        : SUSPICIOUS;
  }
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= MAX_JSON_DEPTH) return SUSPICIOUS;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) {
      const inside = countMembers(item, depth + 1);
      if (inside === SUSPICIOUS) return SUSPICIOUS;
      count += inside;
    }
    return count;
  }
  // Of what `JSON.parse` made, every enumerable name is its own.
  for (const key in value) {
    if (key === '__proto__' || key === 'constructor') return SUSPICIOUS;
    const member = (value as Record<string, unknown>)[key];
    count += 1;
    if (typeof member === 'string') continue;
    const inside = countMembers(member, depth + 1);
    if (inside === SUSPICIOUS) return SUSPICIOUS;
    count += inside;
  }
  return count;
}

const BACKSLASH = 92;
const COLON = 58;
const MINUS = 45;
const UPPER_E = 69;
const LOWER_E = 101;
const LONG_NUMBER = /\d(?:\.?\d){15}/;

/**
 * Hops from string to string: outside strings every colon is a member, long numbers may have lost digits, and numbers with a
 * negative exponent may have become zero.
 */
function isSuspicious(text: string, members: number): boolean {
  // NUL and lone surrogates cannot stand in valid UTF-8 JSON except as \u escapes.
  if (text.includes('\\u')) return true;
  let colons = 0;
  let position = 0;
  while (position < text.length) {
    let open = text.indexOf('"', position);
    if (open === -1) open = text.length;
    for (let i = position; i < open; i++) {
      const character = text.charCodeAt(i);
      if (character === COLON) colons++;
      else if (character === MINUS && isExponentMark(text.charCodeAt(i - 1))) return true;
    }
    if (open - position > 16 && LONG_NUMBER.test(text.slice(position, open))) return true;
    position = endOfString(text, open) + 1;
  }
  return colons !== members;
}

function isExponentMark(character: number): boolean {
  return character === LOWER_E || character === UPPER_E;
}

function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close === -1 ? text.length : close;
}

function isEscaped(text: string, position: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(position - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}
