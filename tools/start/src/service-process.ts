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

/** A running service: its output line by line, and a promise of its end. */
export class ServiceProcess {
  readonly lastLines: string[] = [];
  /** How it ended, in words. Never rejects. */
  readonly ended: Promise<string>;
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
    this.ended = new Promise((resolve) => {
      child.on('error', (error) => {
        resolve(`could not be started: ${error.message}`);
      });
      // `close` comes after the last line of output, `exit` may come before it.
      child.on('close', (code, signal) => {
        resolve(signal ? `was ended by ${signal}` : `ended with exit code ${code ?? 'unknown'}`);
      });
    });
    this.#child = child;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

function portsOf({ port, metricsPort }: Service): NodeJS.ProcessEnv {
  return { PORT: String(port), ...(metricsPort !== undefined && { METRICS_PORT: String(metricsPort) }) };
}
