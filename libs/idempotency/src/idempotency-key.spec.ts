import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { idempotencyKeyFrom } from './idempotency-key.ts';

const UUID = '8e03978e-40d5-43e8-bc93-6894a57f9324';

describe('idempotencyKeyFrom', () => {
  it('reads the same key from a structured string and from a bare token', () => {
    expect(idempotencyKeyFrom(`"${UUID}"`)).toBe(UUID);
    expect(idempotencyKeyFrom(UUID)).toBe(UUID);
    expect(idempotencyKeyFrom(` \t${UUID} `)).toBe(UUID);
  });

  it('is undefined when the client sent none', () => {
    expect(idempotencyKeyFrom(undefined)).toBeUndefined();
  });

  it('undoes the two escapes of a structured string', () => {
    expect(idempotencyKeyFrom(String.raw`"a\"b\\c d"`)).toBe(String.raw`a"b\c d`);
  });

  it('takes up to 255 characters, quotes and escapes not counted', () => {
    expect(idempotencyKeyFrom('k'.repeat(255))).toHaveLength(255);
    expect(idempotencyKeyFrom(`"${String.raw`\"`.repeat(255)}"`)).toBe('"'.repeat(255));
  });

  it.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['an empty string', '""'],
    ['a token that is too long', 'k'.repeat(256)],
    ['a string that is too long', `"${'k'.repeat(256)}"`],
    ['two tokens joined by the server', 'abc, def'],
    ['two tokens joined without a blank', 'abc,def'],
    ['two strings joined by the server', '"abc", "def"'],
    ['a string that does not end', '"abc'],
    ['a quote inside a token', 'a"bc'],
    ['an escape that does not exist', String.raw`"a\bc"`],
    ['an escape that does not end', String.raw`"abc\"`],
    ['a blank inside a token', 'a bc'],
    ['a control character', '"a\u0007bc"'],
    ['a character beyond ASCII', 'chávez'],
  ])('refuses %s', (_, header) => {
    expect(() => idempotencyKeyFrom(header)).toThrow(
      expect.objectContaining({ kind: 'invalid', code: 'invalid-idempotency-key' }),
    );
  });

  it('gives back any printable key that was written as a structured string', () => {
    const printable = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 255 });
    fc.assert(
      fc.property(printable, (key) => {
        expect(idempotencyKeyFrom(`"${key.replace(/["\\]/g, String.raw`\$&`)}"`)).toBe(key);
      }),
    );
  });
});
