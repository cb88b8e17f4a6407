import { join } from 'node:path';
import { Child } from '@malote/child-process';
import { type Acceptance } from './judge.ts';

export interface SinkSettings {
  readonly seed: number;
  /** Whether the sink answers questions, and what befalls deliveries accordingly. */
  readonly isAskable: boolean;
  /** How long the senders wait for an answer. */
  readonly patienceMs: number;
  /** Longer than that. */
  readonly stallMs: number;
}

/** `storm` deals out faults, `outage` serves nobody, `slow` accepts late, `calm` accepts. */
export type Weather = 'storm' | 'outage' | 'slow' | 'calm';

export interface SinkQuestion {
  readonly weather: Weather;
  readonly wantsLedger: boolean;
}

export interface SinkState {
  readonly faults: Readonly<Record<string, number>>;
  /** Acceptances their senders were not told of in time. */
  readonly acceptedThenFailed: number;
  /** Questions that came. */
  readonly asked: number;
  readonly verified: number;
  readonly badSignatures: number;
  readonly ledger: readonly Acceptance[];
  /** Of a few messages that were accepted twice, all that came about them. */
  readonly repeated: readonly string[];
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
    return new Sink(child, `http://127.0.0.1:${Number(await child.ready)}/messages`);
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
