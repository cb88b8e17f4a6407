import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/** Turns once, when the service is told to stop: readiness goes red and workers stop taking on work. */
@Injectable()
export class Draining implements OnModuleDestroy {
  private readonly controller = new AbortController();

  /** Aborted when draining begins; pass it to whatever waits. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get active(): boolean {
    return this.signal.aborted;
  }

  start(): void {
    this.controller.abort();
  }

  onModuleDestroy(): void {
    this.start();
  }
}
