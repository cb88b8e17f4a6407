import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Service } from './services.ts';

const keptLines = 20;

export interface ProcessOptions {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly format: (service: Service, line: string) => string;
  readonly print: (line: string) => void;
}

export interface Ending {
  /** In words: "ended with exit code 1". */
  readonly how: string;
  /** Whether it had stopped by itself, with nothing left undone. */
  readonly inOrder: boolean;
}

/** A running service: its output line by line, and a promise of its end. */
export class ServiceProcess {
  readonly lastLines: string[] = [];
  /** Never rejects. */
  readonly ended: Promise<Ending>;
  #hasEnded = false;
  readonly #child: ChildProcess;

  constructor(
    readonly service: Service,
    { root, env, format, print }: ProcessOptions,
  ) {
    const child = spawn(
      process.execPath,
      ['tools/run.js', join(import.meta.dirname, 'child.ts'), service.entry],
      {
        cwd: root,
        env: { ...env, ...portsOf(service) },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        // A process group of its own: Ctrl-C reaches the suite only, which then stops its services in order.
        detached: true,
      },
    );
    for (const input of [child.stdout, child.stderr]) {
      if (!input) throw new Error(`${service.name} was started without pipes`);
      createInterface({ input }).on('line', (raw) => {
        const line = format(service, raw);
        this.lastLines.push(line);
        if (this.lastLines.length > keptLines) this.lastLines.shift();
        print(line);
      });
    }
    this.ended = new Promise<Ending>((resolve) => {
      child.on('error', (error) => {
        resolve({ how: `could not be started: ${error.message}`, inOrder: false });
      });
      // `close` comes after the last line of output, `exit` may come before it.
      child.on('close', (code, signal) => {
        resolve(endingOf(code, signal));
      });
    }).finally(() => (this.#hasEnded = true));
    this.#child = child;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

/** SIGTERM ends only a service that is still starting and has nothing in hand yet; later it answers it with an exit code. */
function endingOf(code: number | null, signal: NodeJS.Signals | null): Ending {
  if (signal) return { how: `was ended by ${signal}`, inOrder: signal === 'SIGTERM' };
  return { how: `ended with exit code ${code ?? 'unknown'}`, inOrder: code === 0 };
}

function portsOf({ port, metricsPort }: Service): NodeJS.ProcessEnv {
  return { PORT: String(port), ...(metricsPort !== undefined && { METRICS_PORT: String(metricsPort) }) };
}
