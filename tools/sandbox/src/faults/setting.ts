import { type Range } from './luck.ts';

/** One name on a dial: its value in fair weather, and what it may be turned to. */
export interface Setting<V> {
  readonly fair: V;
  readonly rule: string;
  readonly accepts: (value: unknown) => value is V;
}

const LONGEST_MS = 600_000;

export const chance: Setting<number> = {
  fair: 0,
  rule: 'must be a probability from 0 to 1',
  accepts: (value): value is number => typeof value === 'number' && value >= 0 && value <= 1,
};

export const flag: Setting<boolean> = {
  fair: false,
  rule: 'must be true or false',
  accepts: (value) => typeof value === 'boolean',
};

export function whole(fair: number, max = LONGEST_MS): Setting<number> {
  return {
    fair,
    rule: `must be a whole number from 0 to ${max}`,
    accepts: (value): value is number => isWhole(value, max),
  };
}

export function rangeMs(min: number, max: number): Setting<Range> {
  return {
    fair: [min, max],
    rule: `must be [min, max], whole milliseconds up to ${LONGEST_MS}`,
    accepts: (value): value is Range => {
      if (!Array.isArray(value) || value.length !== 2) return false;
      const [low, high] = value as unknown[];
      return isWhole(low, LONGEST_MS) && isWhole(high, LONGEST_MS) && low <= high;
    },
  };
}

function isWhole(value: unknown, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;
}
