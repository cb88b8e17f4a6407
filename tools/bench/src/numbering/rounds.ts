/** What all measurements of a run have in common. */
export interface Effort {
  readonly callers: number;
  readonly rounds: number;
  readonly warmUpMs: number;
  readonly measuredMs: number;
}

export const FULL: Effort = { callers: 64, rounds: 5, warmUpMs: 500, measuredMs: 2_000 };

export interface Round {
  readonly perSecond: number;
  readonly latencies: readonly number[];
}

/** Callers who each take one number after the other for so long; every number they get goes into `answered`. */
export async function takeFor(
  ms: number,
  callers: number,
  take: () => Promise<number>,
  answered: number[],
): Promise<Round> {
  const latencies: number[] = [];
  const began = performance.now();
  const caller = async () => {
    for (let asked = began; asked - began < ms;) {
      answered.push(await take());
      const now = performance.now();
      latencies.push(now - asked);
      asked = now;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { perSecond: latencies.length / ((performance.now() - began) / 1000), latencies };
}

/** The first connections and the compiler's warm-up belong to nobody. */
export async function warmThenTake(
  { callers, warmUpMs, measuredMs }: Effort,
  take: () => Promise<number>,
  answered: number[],
): Promise<Round> {
  await takeFor(warmUpMs, callers, take, answered);
  return takeFor(measuredMs, callers, take, answered);
}
