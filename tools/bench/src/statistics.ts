/** The smallest sample that so many per cent of all do not exceed. */
export function percentile(samples: readonly number[], percent: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)];
  if (value === undefined) throw new Error('No samples');
  return value;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 50);
}
