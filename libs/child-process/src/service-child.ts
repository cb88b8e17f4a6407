import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(import.meta.dirname, '../../..');
const POLL_MS = 20;

export interface ServiceSettings {
  /** Relative to the workspace: `apps/ticket-api/src/main.ts`. */
  readonly entry: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where its log lines go: a reader of a pipe would take time from what is measured. */
  readonly logFile: string;
}

/** A service as a process of its own, started from source with an environment that is all its own. */
export class ServiceChild {
  readonly ended: Promise<void>;
  private readonly child: ChildProcess;

  constructor(private readonly settings: ServiceSettings) {
    const log = openSync(settings.logFile, 'w');
    this.child = spawn(
      process.execPath,
      ['tools/run.js', join(import.meta.dirname, 'run-entry.ts'), settings.entry],
      {
        cwd: root,
        env: { HOST: '127.0.0.1', ...settings.env },
        stdio: ['ignore', log, log, 'ipc'],
      },
    );
    closeSync(log);
    this.ended = once(this.child, 'exit').then(() => undefined);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  get exitCode(): number | null {
    return this.child.exitCode;
  }

  /** Its address, once it listens. */
  async url(): Promise<string> {
    for (;;) {
      const url = /"url":"([^"]+)"[^\n]*"msg":"listening"/.exec(this.log())?.[1];
      if (url !== undefined) return url;
      if (!this.isAlive) throw new Error(`${this.settings.entry} ended before it listened:\n${this.log()}`);
      await sleep(POLL_MS);
    }
  }

  log(): string {
    return readFileSync(this.settings.logFile, 'utf8');
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async end(): Promise<void> {
    this.kill('SIGTERM');
    await this.ended;
  }
}
