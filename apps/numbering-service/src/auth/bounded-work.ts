import { AppError } from '@malote/app-error';

/** So many at a time, so many in line, and no more: a flood must not take all threads nor all memory. */
export class BoundedWork {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly maxRunning: number,
    private readonly maxWaiting: number,
  ) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.maxRunning) await this.waitInLine();
    else this.running += 1;
    try {
      return await work();
    } finally {
      this.handOver();
    }
  }

  private waitInLine(): Promise<void> {
    if (this.waiting.length >= this.maxWaiting) {
      throw new AppError('unavailable', 'login-busy', 'Too many people are logging in at once', {
        retryAfterSeconds: 5,
      });
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** The place goes to the next in line without being free in between. */
  private handOver(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running -= 1;
  }
}
