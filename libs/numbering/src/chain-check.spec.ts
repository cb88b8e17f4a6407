import { expect, it } from '@jest/globals';
import { ChainCheck, type CheckedEntry } from './chain-check.ts';
import { CHAIN_START, formatNumber, hashOf, type LogKind } from './log-entry.ts';
import { searchTextOf } from './search-text.ts';

const YEAR = 2025;
type Step = readonly [LogKind, number];

/** Entries that follow each other as they should, whatever their numbers are. */
function chain(...steps: readonly Step[]): CheckedEntry[] {
  let previousHash = CHAIN_START;
  return steps.map(([kind, number], n) => {
    const entry = {
      documentTypeId: 'a1b2c3d4-e5f6-7890-abcd-ef1234567890',
      documentTypeName: 'Ofício',
      prefix: 'OF',
      number,
      year: YEAR,
      formattedNumber: formatNumber(number, YEAR),
      userId: '550e8400-e29b-41d4-a716-446655440000',
      userName: 'Maria Silva',
      userEmail: 'maria.silva@itajai.sc.gov.br',
      generatedAt: new Date('2025-06-15T14:30:00.123Z'),
      generatedAtLocal: '2025-06-15T11:30:00-03:00',
      kind,
      position: n + 1,
      subject: null,
      recipient: null,
      processNumber: null,
      notes: null,
      reason: null,
      requestKey: `key-${n}`,
      previousHash,
    };
    previousHash = hashOf(entry);
    return { ...entry, hash: previousHash, searchText: searchTextOf(entry) };
  });
}

function check(entries: readonly CheckedEntry[], end?: { lastNumber?: number; lastHash?: string }) {
  const found = new ChainCheck(YEAR);
  for (const entry of entries) found.add(entry);
  const last = entries.at(-1);
  found.end({
    lastNumber: entries.findLast(({ kind }) => kind === 'generated' || kind === 'adjusted')?.number ?? 0,
    lastPosition: last?.position ?? 0,
    lastHash: last?.hash ?? CHAIN_START,
    ...end,
  });
  return found;
}

const GOOD: readonly Step[] = [
  ['generated', 1],
  ['generated', 2],
  ['amended', 2],
  ['annulled', 1],
  ['adjusted', 41],
  ['generated', 42],
  ['annulled', 42],
];

it('finds nothing wrong with a good chain, and knows what was skipped', () => {
  const found = check(chain(...GOOD));
  expect(found.firstBreak).toBeUndefined();
  expect(found).toMatchObject({
    entries: 7,
    lastNumber: 42,
    annulledCount: 2,
    skipped: [{ from: 3, to: 41 }],
  });
});

it.each<[string, readonly Step[], string, number]>([
  [
    'a number is left out',
    [
      ['generated', 1],
      ['generated', 3],
    ],
    'number-missing',
    2,
  ],
  ['a sequence does not begin with 1', [['generated', 2]], 'number-missing', 1],
  [
    'a number is there twice',
    [
      ['generated', 1],
      ['generated', 1],
    ],
    'number-repeated',
    2,
  ],
  [
    'a sequence was moved back',
    [
      ['generated', 1],
      ['adjusted', 1],
    ],
    'adjusted-back',
    2,
  ],
  [
    'a number is annulled that was never taken',
    [
      ['generated', 1],
      ['annulled', 2],
    ],
    'number-unknown',
    2,
  ],
  [
    'a number is annulled that was skipped',
    [
      ['generated', 1],
      ['adjusted', 9],
      ['annulled', 5],
    ],
    'number-unknown',
    3,
  ],
  [
    'a number is amended that was annulled',
    [
      ['generated', 1],
      ['annulled', 1],
      ['amended', 1],
    ],
    'number-unknown',
    3,
  ],
  [
    'a number is amended that was never taken',
    [
      ['generated', 1],
      ['amended', 2],
    ],
    'number-unknown',
    2,
  ],
  [
    'a number is annulled twice',
    [
      ['generated', 1],
      ['annulled', 1],
      ['annulled', 1],
    ],
    'annulled-twice',
    3,
  ],
])('says where %s', (_name, steps, kind, position) => {
  expect(check(chain(...steps)).firstBreak).toMatchObject({ kind, position });
});

it('notices any field that was changed', () => {
  const names = Object.keys(chain(...GOOD)[0] ?? {}) as (keyof CheckedEntry)[];
  for (const name of names.filter((field) => field !== 'hash')) {
    const entries = chain(...GOOD);
    const value =
      name === 'generatedAt' ? new Date('2025-06-15T14:30:00.124Z') : name === 'kind' ? 'adjusted' : 'x';
    entries[1] = {
      ...entries[1],
      [name]: typeof entries[1]?.[name] === 'number' ? 7 : value,
    } as CheckedEntry;
    expect([name, check(entries).firstBreak?.position]).toEqual([name, name === 'position' ? 7 : 2]);
  }
});

it('notices an entry that was changed and sealed anew, by the one that follows', () => {
  const entries = chain(...GOOD);
  const forged = { ...entries[1], subject: 'outro assunto' } as CheckedEntry;
  entries[1] = { ...forged, hash: hashOf(forged), searchText: searchTextOf(forged) };
  expect(check(entries).firstBreak).toEqual({ kind: 'chain-broken', position: 3, formattedNumber: '2/2025' });
});

it('notices the newest entry changed and sealed anew, by the row of its sequence', () => {
  const entries = chain(...GOOD);
  const { hash: lastHash = '' } = entries.at(-1) ?? {};
  const forged = { ...entries.at(-1), reason: 'outro' } as CheckedEntry;
  entries[6] = { ...forged, hash: hashOf(forged), searchText: searchTextOf(forged) };
  expect(check(entries, { lastHash }).firstBreak?.kind).toBe('sequence-altered');
});

it('notices entries that were removed, wherever they were', () => {
  for (const position of [1, 2, 3, 4, 5, 6]) {
    const entries = chain(...GOOD).filter((entry) => entry.position !== position);
    expect(check(entries).firstBreak).toMatchObject({ kind: 'entry-missing', position: position + 1 });
  }
  const found = new ChainCheck(YEAR);
  const entries = chain(...GOOD);
  for (const entry of entries.slice(0, -1)) found.add(entry);
  found.end({ lastNumber: 42, lastPosition: 7, lastHash: entries.at(-1)?.hash ?? '' });
  expect(found.firstBreak).toMatchObject({ kind: 'end-missing', position: 7 });
});

it('notices a counter that says something else than the log, and one that is gone', () => {
  expect(check(chain(...GOOD), { lastNumber: 41 }).firstBreak?.kind).toBe('sequence-altered');
  const found = new ChainCheck(YEAR);
  for (const entry of chain(...GOOD)) found.add(entry);
  found.end(undefined);
  expect(found.firstBreak?.kind).toBe('sequence-missing');
});

it('notices a number of another year', () => {
  const found = new ChainCheck(2026);
  for (const entry of chain(['generated', 1])) found.add(entry);
  expect(found.firstBreak?.kind).toBe('wrong-year');
});
