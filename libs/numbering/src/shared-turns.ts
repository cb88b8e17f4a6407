import { AppError } from '@malote/app-error';

interface Waiting<Job, Result> {
  readonly job: Job;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** More than this are better told to come back: they would hang up before it was their turn. */
const MOST_WAITING = 1_000;

/** What became of one job of a turn. */
export type Served<Result> = { readonly result: Result } | { readonly error: unknown };

/**
 * Jobs of one key that arrive while others of it are being served wait for the next turn and are served together. Whoever waits
 * for a row of the database then waits here, where it costs nothing, and holds no connection that somebody else could use.
 */
export class SharedTurns<Job, Result> {
  readonly #waiting = new Map<string, Waiting<Job, Result>[]>();

  constructor(
    private readonly serve: (key: string, jobs: readonly Job[]) => Promise<readonly Served<Result>[]>,
    private readonly mostPerTurn: number,
  ) {}

  join(key: string, job: Job): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const waiting = { job, resolve, reject };
      const others = this.#waiting.get(key);
      if (others) {
        if (others.length < MOST_WAITING) others.push(waiting);
        else reject(tooMany());
        return;
      }
      this.#waiting.set(key, [waiting]);
      void this.#serveAll(key);
    });
  }

  async #serveAll(key: string): Promise<void> {
    for (;;) {
      const turn = this.#waiting.get(key)?.splice(0, this.mostPerTurn) ?? [];
      if (turn.length === 0) break;
      await this.#serveTurn(key, turn);
    }
    this.#waiting.delete(key);
  }

  async #serveTurn(key: string, turn: readonly Waiting<Job, Result>[]): Promise<void> {
    try {
      const served = await this.serve(
        key,
        turn.map(({ job }) => job),
      );
      turn.forEach(({ resolve, reject }, n) => {
        const outcome = served[n] ?? { error: new Error('A job was not served') };
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.result);
      });
    } catch (error) {
      for (const { reject } of turn) reject(error);
    }
  }
}

function tooMany(): AppError {
  return new AppError('unavailable', 'too-many-waiting', 'Too many are waiting for the same sequence', {
    retryAfterSeconds: 2,
  });
}
