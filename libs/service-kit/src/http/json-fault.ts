import type { FieldProblem } from '@malote/app-error';
import { toPointer } from './json-pointer.ts';

const NUL = '\u0000';
const LONE_SURROGATE = /\p{Surrogate}/u;
const TOKEN = /\s*(?:([{}[\],:])|("[^"\\]*(?:\\.[^"\\]*)*")|(-?\d[\d.eE+-]*)|(true|false|null))/y;

type Container = { readonly keys: Set<string>; key: string | undefined } | { index: number };

/**
 * Reads a text that `JSON.parse` has accepted and names the first thing in it that we refuse. It may be simple where a parser
 * must be careful: the text is known to be well-formed.
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
      const string = JSON.parse(quoted) as string;
      if (expectsKey && innermost && 'keys' in innermost) {
        innermost.key = string;
        const found = keyFault(string, innermost.keys, open);
        if (found) return found;
        innermost.keys.add(string);
        expectsKey = false;
      } else {
        const found = stringFault(string, pathOf(open));
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
  const isUnderConstructor = pathOf(open).at(-2) === 'constructor';
  if (key === 'prototype' && isUnderConstructor) {
    return fault(pathOf(open), 'forbidden-key', 'The key prototype is not allowed under constructor');
  }
  return stringFault(key, pathOf(open.slice(0, -1)));
}

function stringFault(text: string, path: readonly (string | number)[]): FieldProblem | undefined {
  if (text.includes(NUL)) return fault(path, 'forbidden-character', 'The text contains the character NUL');
  if (LONE_SURROGATE.test(text))
    return fault(path, 'forbidden-character', 'The text contains half of a character');
  return undefined;
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
  const digits = mantissa.replace('.', '').replace(/^0+/, '');
  return digits.replace(/0+$/, '');
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
