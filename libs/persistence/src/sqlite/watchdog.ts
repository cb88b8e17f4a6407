interface Watched {
  readonly begunAt: number;
  readonly reject: (error: Error) => void;
}

/**
 * Rejects work that forgets to end: on an embedded database it would stop every other transaction of the process. One timer for
 * all: work is watched one after the other, and a timer each would take longer than most of it.
 */
export class Watchdog {
  private current: Watched | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly timeoutMs: number) {}

  watch<T>(work: Promise<T>): Promise<T> {
    this.timer ??= setInterval(
      () => {
        this.look();
      },
      Math.min(1_000, this.timeoutMs / 4),
    ).unref();
    return new Promise<T>((resolve, reject) => {
      this.current = { begunAt: performance.now(), reject };
      work.then(resolve, reject);
    });
  }

  /** The work that was watched last is over. */
  rest(): void {
    this.current = undefined;
  }

  private look(): void {
    if (!this.current) {
      clearInterval(this.timer);
      this.timer = undefined;
    } else if (performance.now() - this.current.begunAt > this.timeoutMs) {
      this.current.reject(
        new Error(`A unit of work took longer than ${this.timeoutMs} ms and was rolled back`),
      );
    }
  }
}
