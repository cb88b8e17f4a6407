import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** A process of ours that answers questions over IPC. It says one thing by itself: its greeting, once it is ready. */
export class Child {
  private constructor(
    private readonly child: ChildProcess,
    private readonly death: Promise<never>,
    readonly greeting: unknown,
  ) {}

  static async start(file: string): Promise<Child> {
    const child = fork('tools/run.js', [file], { cwd: root });
    const death = once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended too early`)));
    death.catch(() => undefined);
    return new Child(child, death, await Promise.race([nextMessage(child), death]));
  }

  async ask(question: string): Promise<unknown> {
    const answer = nextMessage(this.child);
    this.child.send(question);
    return Promise.race([answer, this.death]);
  }

  async end(): Promise<void> {
    this.child.kill('SIGTERM');
    await this.death.catch(() => undefined);
  }
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const [message] = (await once(child, 'message')) as unknown[];
  return message;
}

/** The other side: greets, answers each question, and ends with its parent, however that one ended. */
export function answerParent(greeting: unknown, answer: (question: unknown) => unknown): void {
  process.on('message', (question) => process.send?.(answer(question)));
  process.on('disconnect', () => process.exit(0));
  process.send?.(greeting);
}
