import type { EnvKind } from './env.decorator.ts';

export type Converted = { readonly value: unknown } | { readonly problem: string };

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
/** A timer set for longer fires at once. */
const MAX_TIMER_MS = 2_147_483_647;
const TRUE = new Set(['true', '1', 'yes', 'on']);
const FALSE = new Set(['false', '0', 'no', 'off']);

export function convert(text: string, kind: Exclude<EnvKind, 'group'>): Converted {
  switch (kind) {
    case 'text':
      return { value: text };
    case 'list':
      return { value: splitList(text) };
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? { value: Number(text) } : { problem: 'must be a whole number' };
    case 'boolean':
      return convertBoolean(text);
    case 'duration':
      return convertDuration(text);
  }
}

export function splitList(text: string): readonly string[] {
  const items = text.split(',').map((item) => item.trim());
  return Object.freeze(items.filter((item) => item !== ''));
}

function convertBoolean(text: string): Converted {
  const lower = text.toLowerCase();
  if (TRUE.has(lower)) return { value: true };
  if (FALSE.has(lower)) return { value: false };
  return { problem: 'must be true or false' };
}

function convertDuration(text: string): Converted {
  const match = /^(\d{1,12})(ms|s|m|h)?$/.exec(text);
  if (!match) return { problem: 'must be a duration such as 500ms, 30s, 5m or 8h' };
  const value = Number(match[1]) * UNIT_MS[(match[2] ?? 'ms') as keyof typeof UNIT_MS];
  return value <= MAX_TIMER_MS ? { value } : { problem: `must not be longer than ${MAX_TIMER_MS} ms` };
}
