import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, type JsonValue } from './canonical-json.ts';

const parsed = (text: string) => JSON.parse(text) as JsonValue;
const anyJson = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;

/** The same value with the keys of every object inserted in the opposite order. */
function reversed(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

describe('canonicalJson', () => {
  it('writes the example of RFC 8785, section 3.2.2', () => {
    const sample = parsed(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(sample)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it('sorts keys by UTF-16 code units, as in RFC 8785, section 3.2.3', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const text = canonicalJson(Object.fromEntries(keys.map((key) => [key, 0])));
    const inOrder = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    expect(text).toBe(`{${inOrder.map((key) => `${JSON.stringify(key)}:0`).join(',')}}`);
  });

  it('writes minus zero as zero and keeps a key that objects usually inherit', () => {
    expect(canonicalJson([-0, 10, 2 ** 53])).toBe('[0,10,9007199254740992]');
    expect(canonicalJson(parsed('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
    expect(canonicalJson([[], {}, ''])).toBe('[[],{},""]');
  });

  it.each([
    ['NaN', { a: [Number.NaN] }, '/a/0'],
    ['a number too large to be one', parsed('{"total":1e999}'), '/total'],
    ['half a surrogate pair', parsed(String.raw`["x\ud83d"]`), '/0'],
    ['half a surrogate pair in a key', parsed(String.raw`{"\udc00":1}`), '/\udc00'],
    ['an undefined member', { 'a/b~c': undefined }, '/a~1b~0c'],
    ['a hole', Object.assign([0], { 2: 2 }), '/1'],
    ['a bigint', 1n, ''],
    ['a date, which would look like an empty object', { on: new Date(0) }, '/on'],
    ['a map', new Map([['a', 1]]), ''],
  ])('refuses %s and points at it', (_, value, pointer) => {
    expect(() => canonicalJson(value as JsonValue)).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        code: 'no-canonical-json',
        fields: [expect.objectContaining({ pointer })],
      }),
    );
  });

  it('refuses content so deep that it would exhaust the stack', () => {
    const nested = (levels: number) => parsed('['.repeat(levels) + ']'.repeat(levels));
    expect(canonicalJson(nested(200))).toHaveLength(400);
    expect(() => canonicalJson(nested(201))).toThrow('more than 200 levels deep');
    expect(() => canonicalJson(nested(100_000))).toThrow('more than 200 levels deep');
  });

  it('is JSON for the same value, whatever the order of keys', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(canonicalJson(parsed(JSON.stringify(value, null, 2)))).toBe(text);
      }),
    );
  });
});
