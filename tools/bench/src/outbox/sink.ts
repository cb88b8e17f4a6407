import { join } from 'node:path';
import { Child } from '../child.ts';

export interface SinkCount {
  readonly requests: number;
  readonly bytes: number;
  /** Message key and arrival on the machine's monotonic clock, in milliseconds. */
  readonly arrivals: [string, number][];
}

/** A plain HTTP server in a process of its own that counts what it gets. */
export class Sink {
  private constructor(private readonly child: Child) {}

  static async start(): Promise<Sink> {
    return new Sink(await Child.start(join(import.meta.dirname, 'sink-process.ts')));
  }

  get url(): string {
    return `http://127.0.0.1:${Number(this.child.greeting)}/acks`;
  }

  /** What arrived since the last call. */
  async count(): Promise<SinkCount> {
    return (await this.child.ask('count')) as SinkCount;
  }

  async arrivals(): Promise<ReadonlyMap<string, number>> {
    return new Map(((await this.child.ask('arrivals')) as SinkCount).arrivals);
  }

  end(): Promise<void> {
    return this.child.end();
  }
}
