import { describe, expect, it } from '@jest/globals';
import { type Answer } from './callers.ts';
import { broken, type Evidence, judge, type Judgement, sealOf } from './judge.ts';
import { type LogRow, type SequenceRow } from './register-rows.ts';

const TYPE = 'b7a5';
const WISHES = ['a', 'b', 'c', 'd'].map((key) => ({ key, documentTypeId: TYPE, subject: `Assunto ${key}` }));
const LAST_SECOND = new Date('2027-01-01T02:59:59.900Z');
const FIRST_SECOND = new Date('2027-01-01T03:00:00.000Z');

const ENTRY = {
  documentTypeId: TYPE,
  documentTypeName: 'Ofício',
  prefix: 'OF',
  userId: '7',
  userName: 'Maria Silva',
  userEmail: 'maria.silva@itajai.sc.gov.br',
  kind: 'generated',
  recipient: null,
  processNumber: null,
  notes: null,
  reason: null,
};

type Draft = Partial<LogRow> & Pick<LogRow, 'number' | 'year' | 'requestKey' | 'generatedAt'>;

/** Rows of one sequence, linked as they should be. */
function chained(...drafts: Draft[]): LogRow[] {
  let previousHash = '0'.repeat(64);
  return drafts.map((draft, n) => {
    const row = {
      ...ENTRY,
      formattedNumber: `${draft.number}/${draft.year}`,
      generatedAtLocal: draft.year === 2026 ? '2026-12-31T23:59:59-03:00' : '2027-01-01T00:00:00-03:00',
      position: n + 1,
      subject: `Assunto ${draft.requestKey ?? ''}`,
      previousHash,
      ...draft,
    };
    previousHash = sealOf(row);
    return { ...row, hash: previousHash };
  });
}

const endOf = (rows: readonly LogRow[]): SequenceRow[] =>
  rows.slice(-1).map(({ documentTypeId, year, number, position, hash }) => ({
    documentTypeId,
    year,
    lastNumber: number,
    lastPosition: position,
    lastHash: hash,
  }));

const a = { number: 1, year: 2026, requestKey: 'a', generatedAt: LAST_SECOND };
const b = { number: 2, year: 2026, requestKey: 'b', generatedAt: LAST_SECOND };
const c = { number: 3, year: 2026, requestKey: 'c', generatedAt: LAST_SECOND };
const d = { number: 1, year: 2027, requestKey: 'd', generatedAt: FIRST_SECOND };
const OLD = chained(a, b, c);
const NEW = chained(d);

const heard = (key: string, number: number, year = 2026): Answer => ({
  key,
  number,
  year,
  documentTypeId: TYPE,
  outcome: 'created',
});
const ANSWERS = [heard('b', 2), heard('a', 1), heard('d', 1, 2027), heard('c', 3)];

const evidence = (changes: Partial<Evidence> = {}): Evidence => ({
  asked: new Map(WISHES.map((wish) => [wish.key, wish])),
  answers: ANSWERS,
  log: [...OLD, ...NEW],
  sequences: [...endOf(OLD), ...endOf(NEW)],
  ...changes,
});

/** The register had this been written into the old year. */
const had = (...drafts: Draft[]): Partial<Evidence> => {
  const rows = chained(...drafts);
  return { log: [...rows, ...NEW], sequences: [...endOf(rows), ...endOf(NEW)] };
};

const with2 = (changes: Partial<LogRow>): Partial<Evidence> => ({
  log: [...OLD.map((row) => (row.number === 2 ? { ...row, ...changes } : row)), ...NEW],
});

describe('the judge', () => {
  it('finds nothing wrong when each year has its numbers from 1 on, each answered to whom it was written', () => {
    const judgement = judge(evidence());
    expect(judgement).toEqual({
      gaps: [],
      duplicates: [],
      unlogged: [],
      chainBroken: [],
      sequencesAstray: [],
      misdated: [],
      altered: [],
    });
    expect(broken(judgement)).toBe(false);
  });

  it('allows that somebody hears the same number again, and that nobody hears of one', () => {
    const again = { ...heard('a', 1), outcome: 'unchanged' as const };
    const answers = [...ANSWERS.filter(({ key }) => key !== 'b'), again, again];
    expect(broken(judge(evidence({ answers })))).toBe(false);
  });

  const cases: [keyof Judgement, string, Partial<Evidence>][] = [
    ['gaps', 'a number nobody was given', had(a, c)],
    ['gaps', 'a year that does not begin with 1', had(b, c)],
    ['duplicates', 'a number that is in the log twice', had(a, b, { ...c, number: 2 })],
    ['duplicates', 'a key that is in the log twice', had(a, b, { ...c, requestKey: 'b' })],
    ['duplicates', 'a number that two heard', { answers: [...ANSWERS, heard('b', 1)] }],
    ['duplicates', 'somebody who heard two numbers', { answers: [...ANSWERS, heard('a', 1, 2027)] }],
    ['unlogged', 'an answer without an entry', { answers: [...ANSWERS, heard('e', 4)] }],
    ['unlogged', "an answer that is somebody else's entry", { answers: [heard('a', 2), heard('b', 1)] }],
    ['unlogged', 'an answer of the other year', { answers: [heard('a', 1, 2027)] }],
    ['chainBroken', 'an entry that was changed', with2({ userName: 'Outra' })],
    ['chainBroken', 'an entry that was changed and sealed again', resealed({ userName: 'Outra' })],
    ['chainBroken', 'an entry that was taken out', { log: OLD.filter(({ number }) => number !== 2) }],
    ['chainBroken', 'an entry in the wrong place', with2({ position: 4 })],
    ['sequencesAstray', 'a sequence that is ahead of its log', { log: [...OLD.slice(0, 2), ...NEW] }],
    ['sequencesAstray', 'a sequence without a row', { sequences: endOf(OLD) }],
    ['sequencesAstray', 'a sequence without a log', { log: OLD }],
    ['misdated', 'an entry of the new year in the old', had(a, b, { ...c, generatedAt: FIRST_SECOND })],
    ['misdated', 'an entry before the one it follows', had(a, b, { ...c, generatedAt: before(LAST_SECOND) })],
    [
      'misdated',
      'an entry with another time on its face',
      with2({ generatedAtLocal: '2026-12-31T23:59:58-03:00' }),
    ],
    ['altered', 'an entry about something else', had(a, b, { ...c, subject: 'Assunto a' })],
    ['altered', 'an entry nobody asked for', had(a, b, { ...c, requestKey: 'x' })],
    ['altered', 'an entry with another number on its face', had(a, b, { ...c, formattedNumber: '4/2026' })],
  ];
  it.each(cases)('%s: sees %s', (promise, _what, changes) => {
    const judgement = judge(evidence(changes));
    expect(judgement[promise].length).toBeGreaterThan(0);
    expect(broken(judgement)).toBe(true);
  });
});

function resealed(changes: Partial<LogRow>): Partial<Evidence> {
  const log = OLD.map((row) => {
    const changed = row.number === 2 ? { ...row, ...changes } : row;
    return { ...changed, hash: sealOf(changed) };
  });
  return { log: [...log, ...NEW] };
}

function before(moment: Date): Date {
  return new Date(moment.getTime() - 1);
}
