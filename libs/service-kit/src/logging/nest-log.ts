import type { LoggerService } from '@nestjs/common';
import type { Log } from './log.ts';

/** Nest tells the story of its own start at length; operators want it only when they ask for it. */
const CHATTY = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestFactory',
  'NestApplication',
]);

/** Lets code that logs through Nest's `Logger` end up in the same JSON lines. */
export class NestLog implements LoggerService {
  constructor(private readonly target: Log) {}

  log(message: unknown, ...rest: unknown[]): void {
    const { text, fields } = entry(message, rest);
    if (CHATTY.has(String(fields.context))) this.target.debug(text, fields);
    else this.target.info(text, fields);
  }

  error(message: unknown, ...rest: unknown[]): void {
    const { text, fields } = entry(message, rest);
    this.target.error(text, fields);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    const { text, fields } = entry(message, rest);
    this.target.fatal(text, fields);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    const { text, fields } = entry(message, rest);
    this.target.warn(text, fields);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    const { text, fields } = entry(message, rest);
    this.target.debug(text, fields);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.debug(message, ...rest);
  }
}

/** Nest passes the context last and, for errors, a stack or an error before it. */
function entry(
  message: unknown,
  rest: readonly unknown[],
): { text: string; fields: Record<string, unknown> } {
  const context = rest.at(-1);
  const others = rest.slice(0, -1).filter((item) => item !== undefined);
  const fields: Record<string, unknown> = {
    ...(typeof context === 'string' && { context }),
    ...(others.length > 0 && { detail: others }),
  };
  if (message instanceof Error) return { text: message.message, fields: { ...fields, err: message } };
  if (typeof message === 'string') return { text: message, fields };
  return { text: 'event', fields: { ...fields, event: message } };
}
