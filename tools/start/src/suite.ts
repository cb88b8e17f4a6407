import { setTimeout as sleep } from 'node:timers/promises';
import { servicesWithBusyPort } from './ports.ts';
import { waitUntilReady } from './readiness.ts';
import { ServiceProcess, type ProcessOptions } from './service-process.ts';
import { type Service } from './services.ts';

export interface SuiteOptions extends ProcessOptions {
  readonly services: readonly Service[];
  /** Progress and trouble, for a person. */
  readonly say: (text: string) => void;
  readonly onReady: () => void;
  readonly readyWithinMs?: number;
  readonly stopWithinMs?: number;
}

/**
 * Starts every service, keeps them running together and stops them together: when asked to, or when one of them
 * ends. It restarts nothing; on a developer's machine a dead service is news, not something to hide.
 */
export class Suite {
  readonly #options: Required<SuiteOptions>;
  readonly #stopAsked = new AbortController();
  #running: readonly ServiceProcess[] = [];

  constructor(options: SuiteOptions) {
    this.#options = { readyWithinMs: 60_000, stopWithinMs: 30_000, ...options };
  }

  /** Resolves to the exit code when all services have ended. */
  async run(): Promise<number> {
    const { services, say } = this.#options;
    const busy = await servicesWithBusyPort(services);
    for (const { name, port } of busy) say(`Port ${port}, which ${name} needs, is already in use.`);
    if (busy.length > 0) return 1;

    this.#running = services.map((service) => new ServiceProcess(service, this.#options));
    const problem = await this.#untilOver();
    if (problem) say(problem);
    const toStop = this.#running.filter(({ hasEnded }) => !problem || !hasEnded);
    await this.#stopAll();
    const unfinished = await Promise.all(toStop.map((running) => this.#blame(running)));
    for (const text of unfinished) if (text) say(text);
    return problem === undefined && unfinished.every((text) => text === undefined) ? 0 : 1;
  }

  /** The first call lets every service finish what it is doing, a second one does not. */
  stop(): void {
    if (this.#stopAsked.signal.aborted) this.#signalAll('SIGKILL');
    this.#stopAsked.abort();
  }

  /** Why the suite cannot go on, or undefined when somebody asked it to stop. */
  async #untilOver(): Promise<string | undefined> {
    const asked = new Promise<undefined>((resolve) => {
      this.#stopAsked.signal.addEventListener('abort', () => {
        resolve(undefined);
      });
      if (this.#stopAsked.signal.aborted) resolve(undefined);
    });
    const death = Promise.race(this.#running.map((running) => this.#obituary(running)));
    const over = Promise.race([asked, death]);
    const started = await Promise.race([over.then(() => 'over' as const), this.#allReady()]);
    if (started === 'ready') this.#options.onReady();
    else if (started !== 'over') return started;
    return over;
  }

  async #allReady(): Promise<string> {
    const { services, readyWithinMs } = this.#options;
    const limit = AbortSignal.any([this.#stopAsked.signal, AbortSignal.timeout(readyWithinMs)]);
    const outcomes = await Promise.allSettled(services.map((service) => waitUntilReady(service, limit)));
    const late = services.filter((_, index) => outcomes[index]?.status === 'rejected');
    if (late.length === 0) return 'ready';
    return `Not ready after ${readyWithinMs / 1000} s: ${late.map(({ name }) => name).join(', ')}.`;
  }

  async #obituary({ service, ended, lastLines }: ServiceProcess): Promise<string> {
    const { how } = await ended;
    return [`${service.name} ${how}. Its last lines:`, ...quoted(lastLines), 'Stopping the others.'].join(
      '\n',
    );
  }

  /** What a service left undone that was told to stop; undefined when it was nothing. */
  async #blame({ service, ended, lastLines }: ServiceProcess): Promise<string | undefined> {
    const { how, inOrder } = await ended;
    if (inOrder) return undefined;
    return [`${service.name} did not stop in order, it ${how}. Its last lines:`, ...quoted(lastLines)].join(
      '\n',
    );
  }

  async #stopAll(): Promise<void> {
    this.#stopAsked.abort();
    this.#signalAll('SIGTERM');
    const allEnded = Promise.all(this.#running.map(({ ended }) => ended)).then(() => true);
    const inTime = await Promise.race([allEnded, sleep(this.#options.stopWithinMs, false, { ref: false })]);
    if (inTime) return;
    const late = this.#running.filter(({ hasEnded }) => !hasEnded).map(({ service }) => service.name);
    this.#options.say(
      `Not stopped after ${this.#options.stopWithinMs / 1000} s: ${late.join(', ')}. Killing them.`,
    );
    this.#signalAll('SIGKILL');
    await allEnded;
  }

  #signalAll(signal: NodeJS.Signals): void {
    for (const running of this.#running) running.signal(signal);
  }
}

function quoted(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  | ${line}`);
}
