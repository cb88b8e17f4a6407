import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { LogLine } from './log-lines.ts';

const WORKSPACE = resolve(import.meta.dirname, '../../../..');

export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly lines: LogLine[];
  readonly stderr: () => string;
  /** Resolves with the base address once the service listens; rejects when it ends before. */
  readonly listening: Promise<string>;
  readonly exited: Promise<number | null>;
  dispose(): Promise<void>;
}

/** Starts an entry point the way people do, in a folder of its own, so that signals and exit codes are real. */
export function startServiceProcess(entry: string, env: Record<string, string> = {}): ServiceProcess {
  const folder = mkdtempSync(join(tmpdir(), 'malote-process-'));
  const child = spawn(process.execPath, [join(WORKSPACE, 'tools/run.js'), join(WORKSPACE, entry)], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const lines: LogLine[] = [];
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const listening = new Promise<string>((resolveUrl, reject) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as LogLine;
      lines.push(line);
      if (line.msg === 'listening') resolveUrl(String(line.url));
    });
    void exited.then((code) => {
      reject(new Error(`The service ended with ${code ?? 'a signal'} before it listened: ${stderr}`));
    });
  });
  // Tests of failing starts never wait for it.
  listening.catch(() => undefined);

  return {
    child,
    lines,
    stderr: () => stderr,
    listening,
    exited,
    dispose: async () => {
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
