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

export interface SinkSettings {
  /** How long it takes to answer. */
  readonly delayMs: number;
}

const MANY = 500;

/** All of them are this machine. */
export const SINK_HOSTS = Array.from(
  { length: MANY },
  (_, n) => `127.0.${Math.floor(n / 250)}.${1 + (n % 250)}`,
);

/** A plain HTTP server in a process of its own that counts what it gets. */
export class Sink {
  private constructor(
    private readonly child: Child,
    private readonly port: number,
  ) {}

  static async start(settings: SinkSettings = { delayMs: 0 }): Promise<Sink> {
    const child = new Child(join(import.meta.dirname, 'sink-process.ts'), settings);
    return new Sink(child, Number(await child.ready));
  }

  get url(): string {
    return this.addresses(1)[0] ?? '';
  }

  /** As many addresses as there are partners, on hosts of their own. */
  addresses(count = MANY): string[] {
    return SINK_HOSTS.slice(0, count).map((host) => `http://${host}:${this.port}/acks`);
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
