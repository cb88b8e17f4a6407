import { createHash } from 'node:crypto';

export type Range = readonly [min: number, max: number];

/**
 * The dice of one attempt: the same for the same seed, key and number of the attempt, whatever else goes on meanwhile.
 */
export class Luck {
  constructor(
    private readonly seed: number,
    private readonly key: string,
    private readonly attempt: number,
  ) {}

  /** Uniform in [0, 1), another one for every name. */
  of(name: string): number {
    const thing = JSON.stringify([this.seed, name, this.key, this.attempt]);
    return createHash('sha256').update(thing).digest().readUInt32BE(0) / 2 ** 32;
  }

  strikes(name: string, chance: number): boolean {
    return chance > 0 && this.of(name) < chance;
  }

  between(name: string, [min, max]: Range): number {
    return min === max ? min : Math.round(min + this.of(name) * (max - min));
  }
}
