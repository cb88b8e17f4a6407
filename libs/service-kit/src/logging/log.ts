import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { destination, type Level, type Logger, pino } from 'pino';
import type { ServiceConfig } from '../config/service.config.ts';
import { redact } from './redact.ts';
import { scrubText } from './scrub-text.ts';

const CLOSE_TIMEOUT_MS = 1000;

export interface LogSink {
  write(line: string): void;
  end?(): void;
}

/** Method, route template and ids of ours are written as they are; what callers name themselves is scrubbed. */
export interface RequestLine {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly subject: string | undefined;
  readonly aborted: boolean;
  /** Letters, digits and `_.:-` only. */
  readonly requestId: string;
  readonly traceId: string;
}

/** JSON lines. Fields go first to the redactor; callers pass ids, never payloads. */
export class Log {
  private readonly pino: Logger;
  private readonly time = isoTime();
  private readonly base: string;
  private readonly sink: LogSink;
  private isClosed = false;

  constructor(service: string, config: Pick<ServiceConfig, 'logLevel'>, sink?: LogSink) {
    // A write per line costs a busy service more than the line; gathered ones wait a fifth of a second at most.
    this.sink = sink ?? destination({ dest: 1, sync: false, minLength: 12_000, periodicFlush: 200 });
    this.base = `"service":${JSON.stringify(service)},"pid":${process.pid}`;
    this.pino = pino(
      {
        level: config.logLevel,
        base: { service, pid: process.pid },
        timestamp: this.time,
        formatters: { level: (label) => ({ level: label }) },
        // Errors come redacted already; pino's own serializer would take the copy for an error.
        serializers: { err: (err: unknown) => err },
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

  /** One line per request, made by hand: there are more of them than of all others, and what they say is ours. */
  request(line: RequestLine, level: 'debug' | 'info'): void {
    if (this.isClosed || !this.pino.isLevelEnabled(level)) return;
    const { method, route, status, ms, subject, aborted, requestId, traceId } = line;
    this.sink.write(
      `{"level":"${level}"${this.time()},${this.base},"method":"${method}","route":${JSON.stringify(route)},"status":${status},"ms":${ms}` +
        (subject === undefined ? '' : `,"subject":${JSON.stringify(scrubText(subject))}`) +
        (aborted ? ',"aborted":true' : '') +
        `,"requestId":"${scrubText(requestId)}","traceId":"${traceId}","msg":"request"}\n`,
    );
  }

  private write(level: Level, message: string, fields: object = {}): void {
    if (this.isClosed || !this.pino.isLevelEnabled(level)) return;
    const safe = redact(fields);
    // What has no fields of its own, such as an address, would be taken for the message.
    this.pino[level](typeof safe === 'object' ? safe : { detail: safe }, scrubText(message));
  }
}

/** A busy service writes many lines a millisecond, and a date is worked out once for all of them. */
function isoTime(): () => string {
  let at = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}
