import { asDate } from '@malote/persistence';

export function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Of a column that is never null. */
export function timeIn(value: unknown): Date {
  const time = asDate(value);
  if (time) return time;
  throw new TypeError(`Not a time: ${String(value)}`);
}
