import { describe, expect, it } from '@jest/globals';
import { AppError } from '@malote/app-error';
import fc from 'fast-check';
import { MAX_JSON_DEPTH, parseStrictJson } from './strict-json.ts';

function refusal(text: string | Buffer): { code: string; pointer: string | undefined } {
  try {
    parseStrictJson(Buffer.from(text as string));
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, pointer: error.fields[0]?.pointer };
    throw error;
  }
  throw new Error('It was accepted');
}

function hasUnsafeInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasUnsafeInteger);
}

/** The best of three, since other work on the machine only ever adds. */
function shortestMs(text: string): number {
  const body = Buffer.from(text);
  const times = [1, 2, 3].map(() => {
    const startMs = performance.now();
    parseStrictJson(body);
    return performance.now() - startMs;
  });
  return Math.min(...times);
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('strict JSON', () => {
  it.each([
    ['{"a":1,"a":2}', 'duplicate-key', '/a'],
    ['{"x":[{"b":1},{"b":1,"c":{"d":"","e":0,"d":null}}]}', 'duplicate-key', '/x/1/c/d'],
    ['{"a":1,"\\u0061":2}', 'duplicate-key', '/a'],
    ['{"a~/b":{"k":1,"k":1}}', 'duplicate-key', '/a~0~1b/k'],
    ['{"a":{"__proto__":{"admin":true}}}', 'forbidden-key', '/a/__proto__'],
    ['{"\\u005f_proto__":1}', 'forbidden-key', '/__proto__'],
    ['{"constructor":{"prototype":{"admin":true}}}', 'forbidden-key', '/constructor/prototype'],
    ['{"a":["ok","\\u0000"]}', 'forbidden-character', '/a/1'],
    ['{"a":"\\ud83d"}', 'forbidden-character', '/a'],
    ['{"a":"x\\udc00y"}', 'forbidden-character', '/a'],
    ['{"a":9007199254740993}', 'number-precision', '/a'],
    ['[1,-9007199254740992]', 'number-precision', '/1'],
    ['{"a":1e999}', 'number-precision', '/a'],
    ['{"a":[12345678901234.567]}', 'number-precision', '/a/0'],
    ['{"a":0.10000000000000000001}', 'number-precision', '/a'],
    ['{"a":1e-400}', 'number-precision', '/a'],
    ['[0,-2.5E-0324]', 'number-precision', '/1'],
    [`[0.${'0'.repeat(400)}1]`, 'number-precision', '/0'],
    ['{"a":{"b":1,"\\u0000":2}}', 'forbidden-character', '/a'],
  ])('refuses %s', (text, code, pointer) => {
    expect(refusal(text)).toEqual({ code, pointer });
  });

  it.each(['', '{', '{"a":1,}', "{'a':1}", '\ufeff{}', '{"a":01}', '{"a":NaN}', '"\u0001"', '{} {}'])(
    'refuses %j, which is not JSON',
    (text) => {
      expect(refusal(text).code).toBe(text === '' ? 'empty-body' : 'malformed-json');
    },
  );

  it('refuses bytes that are not UTF-8', () => {
    expect(refusal(Buffer.from([0x22, 0xff, 0x22])).code).toBe('malformed-json');
  });

  it.each([
    ['{"constructor":"Ford"}'],
    ['{"a":"\\u00e9 \\ud83d\\ude00"}'],
    ['{"a":"say \\"b\\": 1","b":"\\\\"}'],
    ['[9007199254740991,-0,1e3,1.0,0.1,12345678901.25,1.50000000000000000000]'],
    ['[0e-400,1e-7,-2.5E-300,"1e-400"]'],
    ['"text"'],
    ['null'],
  ])('accepts %s', (text) => {
    expect(parseStrictJson(Buffer.from(text))).toEqual({ text, value: JSON.parse(text) as unknown });
  });

  it('has an end to nesting, and survives a bomb', () => {
    expect(parseStrictJson(Buffer.from(nested(MAX_JSON_DEPTH)))).toBeDefined();
    expect(refusal(nested(MAX_JSON_DEPTH + 1)).code).toBe('json-too-deep');
    expect(refusal(nested(500_000)).code).toBe('json-too-deep');
    expect(refusal('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)).code).toBe('json-too-deep');
  });

  it('reads long strings full of escapes', () => {
    const text = JSON.stringify({ a: '\u0001"\\'.repeat(100_000) });

    expect(parseStrictJson(Buffer.from(text))).toEqual({ text, value: JSON.parse(text) as unknown });
  });

  it('reads strings under many levels as fast as under one', () => {
    const under = (levels: number) =>
      `${'['.repeat(levels)}"\\u0041"${',""'.repeat(300_000)}${']'.repeat(levels)}`;

    expect(shortestMs(under(63))).toBeLessThan(8 * shortestMs(under(1)));
  });

  it('refuses a number of a million digits in little time', () => {
    const startMs = performance.now();

    expect(refusal(`[0.1${'0'.repeat(1_000_000)}1]`).code).toBe('number-precision');
    expect(performance.now() - startMs).toBeLessThan(5000);
  });

  it('returns what JSON.parse returns for whatever a well-behaved client sends', () => {
    const safe = fc.jsonValue({ maxDepth: 6 }).filter((value) => {
      const text = JSON.stringify(value);
      return !/__proto__|\\u0000/.test(text) && !hasUnsafeInteger(JSON.parse(text));
    });
    fc.assert(
      fc.property(safe, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseStrictJson(Buffer.from(text))).toEqual({ text, value: JSON.parse(text) as unknown });
      }),
    );
  });

  it('finds a repeated key wherever it is', () => {
    const key = fc.string({ maxLength: 8 }).filter((text) => text !== '__proto__' && !text.includes('\0'));
    fc.assert(
      fc.property(key, fc.array(key, { maxLength: 5 }), (repeated, others) => {
        const members = [repeated, ...new Set(others.filter((other) => other !== repeated)), repeated];
        const text = `{"list":[{${members.map((name) => `${JSON.stringify(name)}:"a:b"`).join(',')}}]}`;
        expect(refusal(text).code).toBe('duplicate-key');
      }),
    );
  });
});
