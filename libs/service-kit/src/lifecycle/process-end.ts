import type { Log } from '../logging/log.ts';

/** From sysexits.h where it has a number for the reason; docker/README.md tells operators what each means. */
export const EXIT = { stopped: 0, notInOrder: 1, fault: 70, configuration: 78 } as const;

/** How a service process ends: with one last line and one exit code. The first reason counts, whatever happens while the log is written. */
export class ProcessEnd {
  private hasBegun = false;

  constructor(private readonly log: Log) {}

  /** Something was thrown, or rejected, where nobody could catch it: what the process holds in memory is not to be trusted any more. */
  onFaults(): void {
    process.on('uncaughtException', (err: unknown) => {
      void this.with(EXIT.fault, 'fatal', 'Uncaught error', { err });
    });
    process.on('unhandledRejection', (err: unknown) => {
      void this.with(EXIT.fault, 'fatal', 'Unhandled rejection', { err });
    });
  }

  async with(
    exitCode: number,
    level: 'info' | 'error' | 'fatal',
    message: string,
    fields: object,
  ): Promise<void> {
    if (this.hasBegun) return;
    this.hasBegun = true;
    try {
      this.log[level](message, fields);
      await this.log.close();
    } finally {
      process.exit(exitCode);
    }
  }
}
