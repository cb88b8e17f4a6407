/** What a run has to say: the JSON line, and whether any promise was broken. */
export interface ChaosReport {
  readonly chaos: string;
  readonly seed: number;
  readonly ok: boolean;
  readonly [fact: string]: unknown;
}

export type Chaos = (args: readonly string[]) => Promise<ChaosReport>;
