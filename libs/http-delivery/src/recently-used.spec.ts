import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RecentlyUsed } from './recently-used.ts';

const CAPACITY = 3;

interface Entry {
  readonly key: number;
}

function used(keys: readonly number[]) {
  const dropped = new Set<Entry>();
  const made: Entry[] = [];
  const cache = new RecentlyUsed<number, Entry>(CAPACITY, (entry) => dropped.add(entry));
  for (const key of keys) {
    if (cache.get(key)) continue;
    const entry = { key };
    made.push(entry);
    cache.set(key, entry);
  }
  return { cache, dropped, made };
}

describe('a cache of what was used recently', () => {
  it('keeps the keys used last, and drops whatever it no longer holds', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 9 })), (keys) => {
        const { cache, dropped, made } = used(keys);
        const held = new Set(cache.take(() => true));
        const last = [...new Set([...keys].reverse())].slice(0, CAPACITY);

        expect([...held].map(({ key }) => key)).toEqual(expect.arrayContaining(last));
        expect(held.size).toBeLessThanOrEqual(2 * CAPACITY);
        expect(made.filter((entry) => held.has(entry) === dropped.has(entry))).toEqual([]);
      }),
    );
  });

  it('hands out what is taken, and forgets it', () => {
    const { cache, dropped } = used([1, 2, 3, 4]);

    expect(cache.take((key) => key % 2 === 0)).toEqual([{ key: 4 }, { key: 2 }]);
    expect([1, 2, 3, 4].filter((key) => cache.get(key))).toEqual([1, 3]);
    expect(dropped.size).toBe(0);
  });
});
