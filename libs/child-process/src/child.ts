import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** A process of ours, started from source. Its first message says that it is ready; only we signal it, by its id. */
export class Child {
  readonly ended: Promise<void>;
  readonly ready: Promise<unknown>;
  isReady = false;
  isFrozen = false;
  private readonly child: ChildProcess;
  private lastAnswer: Promise<unknown> = Promise.resolve();

  constructor(file: string, settings: object = {}) {
    this.child = fork('tools/run.js', [file, JSON.stringify(settings)], { cwd: root });
    this.ended = once(this.child, 'exit').then(() => undefined);
    this.ready = this.nextMessage().then((message) => {
      this.isReady = true;
      return message;
    });
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

  onMessage(listener: (message: unknown) => void): void {
    this.child.on('message', listener);
  }

  /** One question at a time: answers carry no name. */
  ask(question: object): Promise<unknown> {
    this.lastAnswer = this.lastAnswer.then(() => {
      const answer = this.nextMessage();
      this.child.send(question);
      return answer;
    });
    return this.lastAnswer;
  }

  async end(): Promise<void> {
    this.kill('SIGTERM');
    await this.ended;
  }

  kill(signal: NodeJS.Signals): void {
    if (signal === 'SIGSTOP') this.isFrozen = true;
    if (signal === 'SIGCONT') this.isFrozen = false;
    this.child.kill(signal);
  }

  private async nextMessage(): Promise<unknown> {
    const gone = new AbortController();
    const message = once(this.child, 'message', { signal: gone.signal }) as Promise<unknown[]>;
    const first = await Promise.race([message, this.ended]);
    gone.abort();
    message.catch(() => undefined);
    return first?.[0];
  }
}

/** What the parent passed on, as text: each child knows what it expects. */
export function settingsText(): string {
  return process.argv[2] ?? '{}';
}

/** A child outlives its parent by nothing, however the parent ended. */
export function endWithParent(): void {
  process.on('disconnect', () => process.exit(1));
}

/** For a child that is asked things: says that it is ready, then answers each question. */
export function answerParent(greeting: unknown, answer: (question: unknown) => unknown): void {
  endWithParent();
  process.on('message', (question) => process.send?.(answer(question)));
  process.send?.(greeting);
}
