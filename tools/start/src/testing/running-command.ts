import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { servicesWithBusyPort } from '../ports.ts';

export const workspaceRoot = join(import.meta.dirname, '../../../..');

/** A command in a process of its own, with what it wrote so far. */
export class RunningCommand {
  output = '';
  readonly exitCode: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor([command, ...args]: readonly [string, ...string[]], env: NodeJS.ProcessEnv = {}) {
    const child = spawn(command, args, {
      cwd: workspaceRoot,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
    this.exitCode = new Promise((resolve) => {
      child.on('exit', resolve);
    });
    this.#child = child;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async hasWritten(text: string, withinMs = 15_000): Promise<void> {
    await until(
      () => this.output.includes(text),
      withinMs,
      () => `"${text}" never came:\n${this.output}`,
    );
  }
}

export async function portsAreFree(ports: readonly number[], withinMs = 15_000): Promise<void> {
  const services = ports.map((port) => ({ name: '', entry: '', port }));
  const busy = async () => (await servicesWithBusyPort(services)).length > 0;
  await until(
    async () => !(await busy()),
    withinMs,
    () => `Ports still in use, of ${ports.join(', ')}`,
  );
}

/** The first of `count` consecutive ports, below the range the system hands out by itself. */
export async function findPorts(count: number): Promise<readonly number[]> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const busy = await servicesWithBusyPort(ports.map((port) => ({ name: '', entry: '', port })));
    if (busy.length === 0) return ports;
  }
}

async function until(
  condition: () => boolean | Promise<boolean>,
  withinMs: number,
  complaint: () => string,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(complaint());
    await sleep(50);
  }
}
