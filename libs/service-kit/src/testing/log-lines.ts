import type { LogSink } from '../logging/log.ts';

export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** Keeps what a service logs, so that a test can look for what is there and what must not be. */
export class LogLines implements LogSink {
  readonly lines: string[] = [];

  write(line: string): void {
    this.lines.push(line);
  }

  get text(): string {
    return this.lines.join('');
  }

  find(message: string): LogLine[] {
    return this.lines.map((line) => JSON.parse(line) as LogLine).filter(({ msg }) => msg === message);
  }
}
