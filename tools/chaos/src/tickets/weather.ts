import { type SeededRandom } from '../seeded-random.ts';

/** What the sandbox's fault dial is turned to. */
export type Faults = Readonly<Record<string, number | boolean | readonly [number, number]>>;

export const FAIR: Faults = {};

/** A little of everything. Each failure makes a row wait longer: many in a row would outlast the run. */
const UNSETTLED: Faults = {
  latencyMs: [0, 30],
  reset: 0.01,
  serverError: 0.02,
  tooMany: 0.001,
  acceptThenFail: 0.01,
  acceptThenReset: 0.01,
  acceptThenHang: 0.003,
  hangMs: 3_000,
  callbackError: 0.05,
  duplicateCallbacks: 0.2,
  reorderCallbacks: 0.2,
  callbackDelayMs: [0, 400],
};

/** Whoever breaks does so thoroughly: what fails while the dispatchers' breaker is open costs no row an attempt. */
interface Kind {
  readonly name: string;
  readonly faults: Faults;
  readonly lastsMs: readonly [number, number];
}

const KINDS: readonly Kind[] = [
  { name: 'down', faults: { down: true }, lastsMs: [1_500, 2_500] },
  { name: 'slow', faults: { latencyMs: [200, 900] }, lastsMs: [1_000, 1_500] },
  { name: 'breaking', faults: { serverError: 0.8, reset: 0.05 }, lastsMs: [600, 1_000] },
  { name: 'overrun', faults: { tooMany: 0.2, retryAfterSeconds: 1 }, lastsMs: [600, 1_000] },
  {
    name: 'forgetful',
    faults: { acceptThenFail: 0.1, acceptThenReset: 0.1, acceptThenHang: 0.03 },
    lastsMs: [800, 1_200],
  },
];

/** Some time in which one thing goes wrong more than the others do. */
export interface Spell {
  readonly name: string;
  readonly faults: Faults;
  readonly lastsMs: number;
}

/** So many spells; each kind comes before any comes again. */
export function planSpells(seed: number, random: SeededRandom, count: number): Spell[] {
  let left: Kind[] = [];
  return Array.from({ length: count }, () => {
    if (left.length === 0) left = [...KINDS];
    const [{ name, faults, lastsMs }] = left.splice(random.below(left.length), 1) as [Kind];
    return { name, faults: { ...unsettled(seed), ...faults }, lastsMs: random.between(...lastsMs) };
  });
}

export function unsettled(seed: number): Faults {
  return { ...UNSETTLED, seed };
}
