import { luckOf } from '../seeded-random.ts';

/** What a caller wants, whoever they have to ask and however often. */
export interface Wish {
  readonly key: string;
  readonly documentTypeId: string;
  readonly subject: string;
}

/** What the callers of a run do, the same for the same seed. */
export class Wishes {
  constructor(
    private readonly seed: number,
    private readonly runId: string,
    private readonly documentTypeIds: readonly string[],
  ) {}

  nth(n: number): Wish {
    const type = Math.floor(this.luck('type', n) * this.documentTypeIds.length);
    return {
      key: `${this.runId}:${n}`,
      documentTypeId: this.documentTypeIds[type] ?? '',
      subject: `Assunto nº ${n}`,
    };
  }

  /** A double click: two requests at the same moment. */
  isTwin(n: number): boolean {
    return this.luck('twin', n) < 0.03;
  }

  /** Asks again, some time after the answer. */
  isForgetful(n: number): boolean {
    return this.luck('forgetful', n) < 0.03;
  }

  /** Who gets no answer usually asks again until there is one. */
  givesUp(n: number): boolean {
    return this.luck('gives up', n) < 0.1;
  }

  private luck(what: string, n: number): number {
    return luckOf(this.seed, `${what} ${n}`);
  }
}
