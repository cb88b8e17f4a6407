import { DESCRIPTION_FIELDS, type LogEntry } from './log-entry.ts';

/** Of the column; more than all parts have together, unless folding makes them longer. */
const MAX_LENGTH = 1_800;
const NUMBER = /^\d+\/\d{4}$/;
const MARKS = /\p{M}/gu;

/** Text as people look for it: `Férias` is found by `ferias`. Databases differ in what they take for the same letter. */
export function fold(text: string): string {
  return text.normalize('NFD').replaceAll(MARKS, '').normalize('NFC').toLowerCase().trim();
}

export function searchTextOf(entry: Omit<LogEntry, 'previousHash'>): string {
  const { prefix, formattedNumber, documentTypeName, userName, reason } = entry;
  const described = DESCRIPTION_FIELDS.map((name) => entry[name]);
  const parts = [prefix, formattedNumber, documentTypeName, ...described, userName, reason];
  const words = parts.flatMap((part) => (part === null ? [] : [fold(part)])).join(' | ');
  return `| ${words}`.slice(0, MAX_LENGTH);
}

/** What to look for in search texts. A number is looked for as a whole: 1/2026 is no part of 11/2026. */
export function searchTerm(text: string): string {
  const folded = fold(text);
  return NUMBER.test(folded) ? ` ${folded}` : folded;
}
