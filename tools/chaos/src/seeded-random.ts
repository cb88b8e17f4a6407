import { createHash } from 'node:crypto';

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
export class SeededRandom {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }
}

/** A number from 0 to 1 for a thing, the same however the processes interleave. */
export function luckOf(seed: number, thing: string): number {
  return createHash('sha256').update(`${seed}:${thing}`).digest().readUInt32BE(0) / 4_294_967_296;
}
