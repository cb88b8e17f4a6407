import type { FieldProblem } from '@malote/app-error';
import { toPointer } from './json-pointer.ts';

const NUL = '\u0000';
const LONE_SURROGATE = /\p{Surrogate}/u;
const TOKEN = /\s*(?:([{}[\],:])|("[^"\\]*(?:\\.[^"\\]*)*")|(-?\d[\d.eE+-]*)|(true|false|null))/y;

type Container = { readonly keys: Set<string>; key: string | undefined } | { index: number };

/**
 * Reads a text that `JSON.parse` has accepted and names the first thing in it that we refuse. It may be simple where a parser
 * must be careful: the text is known to be well-formed. A path is built only for a fault: building it takes as long as the
 * nesting is deep, and a body has hundreds of thousands of strings.
 */
export function findJsonFault(text: string, maxDepth: number): FieldProblem | undefined {
  const open: Container[] = [];
  const tokens = new RegExp(TOKEN);
  let expectsKey = false;
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const [, mark, quoted, number] = match;
    const innermost = open.at(-1);
    if (mark === '{' || mark === '[') {
      if (open.length >= maxDepth)
        return fault([], 'json-too-deep', `The body is nested deeper than ${maxDepth} levels`);
      open.push(mark === '{' ? { keys: new Set(), key: undefined } : { index: 0 });
      expectsKey = mark === '{';
    } else if (mark === '}' || mark === ']') {
      open.pop();
      expectsKey = false;
    } else if (mark === ',') {
      if (innermost && 'index' in innermost) innermost.index++;
      expectsKey = innermost !== undefined && 'keys' in innermost;
    } else if (quoted !== undefined) {
      const string = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
      if (expectsKey && innermost && 'keys' in innermost) {
        innermost.key = string;
        const found = keyFault(string, innermost.keys, open);
        if (found) return found;
        innermost.keys.add(string);
        expectsKey = false;
      } else {
        const found = stringFault(string, open);
        if (found) return found;
      }
    } else if (number !== undefined && losesDigits(number)) {
      return fault(
        pathOf(open),
        'number-precision',
        'The number has more digits than can be kept; send it as a string',
      );
    }
  }
  return undefined;
}

function keyFault(
  key: string,
  earlier: ReadonlySet<string>,
  open: readonly Container[],
): FieldProblem | undefined {
  if (earlier.has(key))
    return fault(pathOf(open), 'duplicate-key', 'The same key appears twice in one object');
  if (key === '__proto__') return fault(pathOf(open), 'forbidden-key', 'The key __proto__ is not allowed');
  const parent = open.at(-2);
  if (key === 'prototype' && parent && 'keys' in parent && parent.key === 'constructor') {
    return fault(pathOf(open), 'forbidden-key', 'The key prototype is not allowed under constructor');
  }
  // A key that cannot be written cannot be pointed at either: its object is.
  return stringFault(key, open, open.length - 1);
}

function stringFault(text: string, open: readonly Container[], levels?: number): FieldProblem | undefined {
  const message = text.includes(NUL)
    ? 'The text contains the character NUL'
    : LONE_SURROGATE.test(text)
      ? 'The text contains half of a character'
      : undefined;
  return message && fault(pathOf(open.slice(0, levels)), 'forbidden-character', message);
}

/** A number survives when its digits are the ones the nearest double is written with. */
function losesDigits(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return true;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return true;
  return significantDigits(literal) !== significantDigits(String(value));
}

function significantDigits(literal: string): string {
  const [mantissa = ''] = literal.replace('-', '').split(/[eE]/);
  const digits = mantissa.replace('.', '');
  let first = 0;
  let end = digits.length;
  while (digits[first] === '0') first++;
  // Not /0+$/: it tries again at every zero, and a number may have a million of them before its last digit.
  while (end > first && digits[end - 1] === '0') end--;
  return digits.slice(first, end);
}

function pathOf(open: readonly Container[]): (string | number)[] {
  return open.flatMap((container) => {
    const step = 'index' in container ? container.index : container.key;
    return step === undefined ? [] : [step];
  });
}

function fault(path: readonly (string | number)[], code: string, message: string): FieldProblem {
  return { pointer: toPointer(path), code, message };
}
