import { join } from 'node:path';
import { Child } from '@malote/child-process';
import { type Acceptance } from './judge.ts';

export interface SinkSettings {
  readonly seed: number;
  /** Longer than the senders' patience. */
  readonly stallMs: number;
}

/** `storm` deals out faults, `outage` refuses everything, `slow` accepts late, `calm` accepts. */
export type Weather = 'storm' | 'outage' | 'slow' | 'calm';

export interface SinkQuestion {
  readonly weather: Weather;
  readonly wantsLedger: boolean;
}

export interface SinkState {
  /** Different messages accepted. */
  readonly accepted: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly verified: number;
  readonly badSignatures: number;
  readonly ledger: readonly Acceptance[];
}

/** The receiving side, in a process nobody kills. */
export class Sink {
  weather: Weather = 'storm';

  private constructor(
    private readonly child: Child,
    readonly url: string,
  ) {}

  static async start(settings: SinkSettings): Promise<Sink> {
    const child = new Child(join(import.meta.dirname, 'sink-process.ts'), settings);
    return new Sink(child, `http://127.0.0.1:${Number(await child.ready)}/acks`);
  }

  async state(wantsLedger = false): Promise<SinkState> {
    return (await this.child.ask({ weather: this.weather, wantsLedger })) as SinkState;
  }

  async turn(weather: Weather): Promise<void> {
    this.weather = weather;
    await this.state();
  }

  end(): void {
    this.child.kill('SIGTERM');
  }
}
