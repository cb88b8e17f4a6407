import { SeededRandom } from '../seeded-random.ts';

/** Something that happens once so many numbers have been answered. */
export type Strike =
  | { readonly kind: 'kill'; readonly after: number; readonly delayMs: number; readonly luck: number }
  | { readonly kind: 'doom'; readonly after: number; readonly doom: Doom }
  /** The year ends; so do those who try to write the first numbers of the new one. */
  | { readonly kind: 'midnight'; readonly after: number; readonly dooms: readonly Doom[] };

/** When the process that gets the next request dies: before a statement of its transaction, or once its number is committed. */
export type Doom = { readonly statement: number } | 'unanswered';

interface Size {
  readonly numbers: number;
  readonly kills: number;
  readonly midTransactionKills: number;
  readonly unansweredKills: number;
}

const MAX_DELAY_MS = 50;
/** A number takes fewer statements; who would die later dies before the commit. */
const MAX_STATEMENT = 8;
const AT_MIDNIGHT = 2;

/** The same for the same seed and size, in the order of events. */
export function planOf(seed: number, size: Size): Strike[] {
  const { numbers, kills, midTransactionKills, unansweredKills } = size;
  const random = new SeededRandom(seed);
  const between = (low: number, high: number) => Math.floor(numbers * random.between(low, high));
  const midTransaction = () => ({ statement: 1 + random.below(MAX_STATEMENT) });
  const doomed = (doom: Doom) => ({ kind: 'doom' as const, after: between(0.02, 0.95), doom });
  const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
  const atMidnight = Math.min(AT_MIDNIGHT, midTransactionKills);
  const strikes: Strike[] = [
    { kind: 'midnight', after: between(0.4, 0.5), dooms: times(atMidnight, midTransaction) },
    ...times(kills, () => ({
      kind: 'kill' as const,
      after: between(0.02, 0.95),
      delayMs: random.between(0, MAX_DELAY_MS),
      luck: random.next(),
    })),
    ...times(midTransactionKills - atMidnight, () => doomed(midTransaction())),
    ...times(unansweredKills, () => doomed('unanswered')),
  ];
  return strikes.toSorted((a, b) => a.after - b.after);
}
