/** In kilograms; scales give three decimals at most. */
export interface Weights {
  readonly grossWeight: number;
  readonly tareWeight: number;
  readonly netWeight: number;
}

const GRAMS = 1000;
/** Ten thousand tons: no vehicle weighs more, and grams up to there are whole numbers in a double. */
export const MAX_WEIGHT = 9_999_999.999;

export function isWeight(value: unknown): value is number {
  if (typeof value !== 'number' || !(value >= 0) || value > MAX_WEIGHT) return false;
  return Math.round(value * GRAMS) / GRAMS === value;
}

/** Net is what remains of gross without tare, to the gram: 0.3 − 0.1 is not 0.2 in doubles. */
export function areConsistent({ grossWeight, tareWeight, netWeight }: Weights): boolean {
  return grams(grossWeight) - grams(tareWeight) === grams(netWeight);
}

function grams(weight: number): number {
  return Math.round(weight * GRAMS);
}
