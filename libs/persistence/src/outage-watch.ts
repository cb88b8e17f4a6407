export interface OutageListener {
  began(error: unknown): void;
  ended(seconds: number): void;
}

/** Under load some get through while others do not; that is one outage, not one for each of them. */
const QUIET_MS = 1_000;

/** Tells that the database is away and that it is back, once each, however many units of work find out. */
export class OutageWatch {
  private readonly listeners: OutageListener[] = [];
  private current: { readonly begunAt: number; failedAt: number } | undefined;

  constructor(private readonly now: () => number = () => performance.now()) {}

  listen(listener: OutageListener): void {
    this.listeners.push(listener);
  }

  failed(error: unknown): void {
    const now = this.now();
    if (this.current) {
      this.current.failedAt = now;
      return;
    }
    this.current = { begunAt: now, failedAt: now };
    for (const listener of this.listeners) listener.began(error);
  }

  succeeded(): void {
    if (!this.current) return;
    const { begunAt, failedAt } = this.current;
    if (this.now() - failedAt < QUIET_MS) return;
    this.current = undefined;
    for (const listener of this.listeners) listener.ended((failedAt - begunAt) / 1000);
  }
}
