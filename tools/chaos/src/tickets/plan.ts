import { SeededRandom } from '../seeded-random.ts';
import { type Role } from './crew.ts';
import { planSpells, type Spell } from './weather.ts';

/** One kill and what goes on around it. Victims are chosen among those who are busy at that moment, by their luck. */
export interface Scene {
  readonly spell: Spell;
  /** Between the end of the spell and the next scene. */
  readonly calmMs: number;
  /** Posts from the first number to the second go out at the beginning, those up to the third just before the kill. */
  readonly posts: readonly [from: number, middle: number, to: number];
  readonly burstAfterMs: number;
  /** From that second burst, or the freeze that follows it, to the kill. */
  readonly killAfterMs: number;
  readonly kill: Victim;
  readonly freeze: FrozenVictim | undefined;
}

export interface Victim {
  readonly role: Role;
  readonly luck: number;
}

export interface FrozenVictim extends Victim {
  /** How long, in leases. */
  readonly leases: number;
}

interface Size {
  readonly posts: number;
  readonly kills: number;
  readonly stops: number;
}

/** The same for the same seed and size. */
export function planOf(seed: number, { posts, kills, stops }: Size): Scene[] {
  const random = new SeededRandom(seed);
  const spells = planSpells(seed, random, kills);
  const share = (times: number, n: number) => Math.floor((n * times) / kills);
  const victim = (n: number): Victim => ({
    role: n % 2 === 0 ? 'outbox-dispatcher' : 'ticket-api',
    luck: random.next(),
  });
  return spells.map((spell, n) => {
    const calmMs = random.between(200, 700);
    return {
      spell,
      calmMs,
      posts: [share(posts, n), share(posts, n + 0.5), share(posts, n + 1)],
      burstAfterMs: random.between(0, spell.lastsMs + calmMs),
      killAfterMs: random.between(5, 200),
      kill: victim(n),
      freeze:
        share(stops, n + 1) > share(stops, n)
          ? { ...victim(share(stops, n)), leases: random.between(1.5, 3) }
          : undefined,
    };
  });
}
