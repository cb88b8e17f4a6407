import { join } from 'node:path';
import { Child } from '@malote/child-process';
import { type LaneFile } from './lane-file.ts';
import { type RawClaim } from './raw-loop.ts';

export type Way = 'engine' | 'raw';

export interface Order {
  readonly folder: string;
  readonly rows: number;
  readonly way: Way;
  readonly rawClaim: RawClaim;
  readonly target: string;
}

/** Delivers the rows of files, one file after the other, in a process of its own that keeps its connections to the sink. */
export class Courier {
  private readonly child = new Child(join(import.meta.dirname, 'courier-process.ts'));

  constructor(
    private readonly way: Way,
    private readonly rawClaim: RawClaim,
  ) {}

  /** Until so many rows are settled; returns the milliseconds it took. */
  async deliver({ folder }: LaneFile, rows: number, target: string): Promise<number> {
    await this.child.ready;
    const { way, rawClaim } = this;
    const answer = await this.child.ask({ folder, rows, target, way, rawClaim } satisfies Order);
    if (typeof answer !== 'number') throw new Error('The courier has ended');
    return answer;
  }

  end(): Promise<void> {
    return this.child.end();
  }
}
