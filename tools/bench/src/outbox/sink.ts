import { join } from 'node:path';
import { Child } from '@malote/child-process';

export interface SinkCount {
  readonly requests: number;
  readonly bytes: number;
  /** Message key and arrival on the machine's monotonic clock, in milliseconds. */
  readonly arrivals: [string, number][];
}

export interface SinkQuestion {
  readonly wantsArrivals: boolean;
}

/** A plain HTTP server in a process of its own that counts what it gets. */
export class Sink {
  private constructor(
    private readonly child: Child,
    readonly url: string,
  ) {}

  static async start(): Promise<Sink> {
    const child = new Child(join(import.meta.dirname, 'sink-process.ts'));
    return new Sink(child, `http://127.0.0.1:${Number(await child.ready)}/acks`);
  }

  /** What arrived since the last call. */
  async count(): Promise<SinkCount> {
    return (await this.child.ask({ wantsArrivals: false })) as SinkCount;
  }

  async arrivals(): Promise<ReadonlyMap<string, number>> {
    return new Map(((await this.child.ask({ wantsArrivals: true })) as SinkCount).arrivals);
  }

  end(): Promise<void> {
    return this.child.end();
  }
}
