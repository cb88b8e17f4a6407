import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { messageKey } from './message-key.ts';

/** How SQL Server compares under its usual collation: case and trailing blanks do not count. */
const asCompared = (key: string) => key.toLowerCase().trimEnd();

describe('messageKey', () => {
  it('reads as its kind and parts while they are short, lower-case and plain', () => {
    expect(messageKey('ticket-return', '01-0107-0257-5200004', 15)).toBe(
      'ticket-return:01-0107-0257-5200004:15',
    );
    expect(messageKey('heartbeat')).toBe('heartbeat');
  });

  it('never changes between releases, because it is stored', () => {
    expect(messageKey('ticket-return', 'TCK', 15)).toBe(
      'ticket-return:TCK:15~07be6cb53ba79bca28ade165a4ee52a5',
    );
  });

  it('percent-encodes what is not plain ASCII, both separators and blanks', () => {
    expect(messageKey('k', 'a:b~c%', "é !'()*\n")).toBe('k:a%3ab%7ec%25:%c3%a9%20%21%27%28%29%2a%0a');
  });

  it.each([
    [
      ['a:b', 'c'],
      ['a', 'b:c'],
    ],
    [['a', ''], ['a']],
    [
      ['', 'a'],
      ['a', ''],
    ],
    [['TCK'], ['tck']],
    [['TCK'], ['Tck']],
    [['tck '], ['tck']],
    [['%41'], ['A']],
    [['é'], ['É']],
    [['x'.repeat(300)], ['x'.repeat(301)]],
    [[`${'x'.repeat(300)}y`], [`${'x'.repeat(300)}Y`]],
  ])('keeps %j and %j apart', (one, other) => {
    expect(asCompared(messageKey('k', ...one))).not.toBe(asCompared(messageKey('k', ...other)));
  });

  it('refuses half a surrogate pair, which has no bytes', () => {
    expect(() => messageKey('k', '\ud83d')).toThrow(expect.objectContaining({ kind: 'invalid' }));
  });

  it('fits exactly', () => {
    expect(messageKey('k', 'x'.repeat(198))).toBe(`k:${'x'.repeat(198)}`);
    expect(messageKey('k', 'x'.repeat(199))).toMatch(/^k:x{165}~[0-9a-f]{32}$/);
  });
});

describe('any two lists of parts', () => {
  const anyPart = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'A', 'b', ':', '~', '%', ' ', '4', '1'), maxLength: 4 }),
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.string({ unit: fc.constantFrom('x', 'X'), minLength: 195, maxLength: 205 }),
  );
  const anyParts = fc.array(anyPart, { maxLength: 4 });

  it('give keys that the column can hold', () => {
    fc.assert(
      fc.property(anyParts, (parts) => {
        expect(messageKey('kind', ...parts)).toMatch(/^[!-~]{1,200}$/);
        expect(messageKey('kind', ...parts)).toBe(messageKey('kind', ...parts));
      }),
    );
  });

  it('give different keys when they differ, even to a database that ignores case and trailing blanks', () => {
    fc.assert(
      fc.property(anyParts, anyParts, (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        expect(asCompared(messageKey('kind', ...one))).not.toBe(asCompared(messageKey('kind', ...other)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('give different keys when only case, a trailing blank or the place of a separator sets them apart', () => {
    const nearby = (parts: readonly string[]) => [
      parts.map((part) => part.toUpperCase()),
      parts.map((part) => part.toLowerCase()),
      parts.map((part) => `${part} `),
      [parts.join(':')],
      parts.flatMap((part) => part.split(':')),
      [...parts, ''],
      [messageKey('kind', ...parts).slice('kind:'.length)],
    ];
    fc.assert(
      fc.property(anyParts, (parts) => {
        for (const other of nearby(parts)) {
          const same = JSON.stringify(parts) === JSON.stringify(other);
          const sameKey =
            asCompared(messageKey('kind', ...parts)) === asCompared(messageKey('kind', ...other));
          expect(sameKey).toBe(same);
        }
      }),
      { numRuns: 500 },
    );
  });
});
