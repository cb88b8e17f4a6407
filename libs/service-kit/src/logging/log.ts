import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { destination, type Level, type Logger, pino, stdTimeFunctions } from 'pino';
import type { ServiceConfig } from '../config/service.config.ts';
import { currentContext } from './trace-context.ts';
import { redact } from './redact.ts';
import { scrubText } from './scrub-text.ts';

const CLOSE_TIMEOUT_MS = 1000;

export interface LogSink {
  write(line: string): void;
  end?(): void;
}

/** JSON lines. Fields go first to the redactor; callers pass ids, never payloads. */
export class Log {
  private readonly pino: Logger;
  private readonly sink: LogSink;
  private isClosed = false;

  constructor(service: string, config: Pick<ServiceConfig, 'logLevel'>, sink?: LogSink) {
    // A write per line costs a busy service more than the line; gathered ones wait a fifth of a second at most.
    this.sink = sink ?? destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 200 });
    this.pino = pino(
      {
        level: config.logLevel,
        base: { service, pid: process.pid },
        // Errors come redacted already; pino's own serializer would take the copy for an error.
        serializers: { err: (err: unknown) => err },
        timestamp: stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        mixin: () => {
          const context = currentContext();
          // A request id is the caller's word.
          return context ? { requestId: scrubText(context.requestId), traceId: context.trace.traceId } : {};
        },
      },
      // Given the sink itself, pino would flush it after a fatal line, past a line that is still being written.
      {
        write: (line) => {
          this.sink.write(line);
        },
      },
    );
  }

  debug(message: string, fields?: object): void {
    this.write('debug', message, fields);
  }

  info(message: string, fields?: object): void {
    this.write('info', message, fields);
  }

  warn(message: string, fields?: object): void {
    this.write('warn', message, fields);
  }

  error(message: string, fields?: object): void {
    this.write('error', message, fields);
  }

  fatal(message: string, fields?: object): void {
    this.write('fatal', message, fields);
  }

  /** Lines are written in the background: a process that ends waits for the last ones, but not for a reader that is stuck. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    const { sink } = this;
    if (!(sink instanceof EventEmitter) || !sink.end) return;
    const closed = once(sink, 'close');
    sink.end();
    await Promise.race([closed, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  /** One line per request: what it says is ours and needs no redaction, but for what callers name themselves. */
  request(fields: object, level: 'debug' | 'info'): void {
    if (!this.isClosed) this.pino[level](fields, 'request');
  }

  private write(level: Level, message: string, fields: object = {}): void {
    if (this.isClosed || !this.pino.isLevelEnabled(level)) return;
    const safe = redact(fields);
    // What has no fields of its own, such as an address, would be taken for the message.
    this.pino[level](typeof safe === 'object' ? safe : { detail: safe }, scrubText(message));
  }
}
