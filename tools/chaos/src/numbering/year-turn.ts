/** Midnight in São Paulo, three hours after that of UTC. */
export const MIDNIGHT = new Date('2027-01-01T03:00:00.000Z');
export const YEARS = [2026, 2027] as const;

const AN_HOUR_MS = 3_600_000;
const SOON_MS = 20;

/** When, by the clock of this machine, the year of the run ends. */
export class YearTurn {
  midnightAtMs = Date.now() + AN_HOUR_MS;

  /** Nobody knows beforehand how long half of the numbers take: the clocks of the run jump to just before midnight. */
  bringOn(): void {
    this.midnightAtMs = Date.now() + SOON_MS;
  }
}

/** What a clock of the run shows that is fast or slow by so much. */
export function timeAt(midnightAtMs: number, skewMs: number): Date {
  return new Date(MIDNIGHT.getTime() + (Date.now() + skewMs - midnightAtMs));
}
