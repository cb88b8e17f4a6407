/** Terminal colours: grey, green, yellow, red. */
const colours: Readonly<Record<string, number>> = {
  trace: 90,
  debug: 90,
  info: 32,
  warn: 33,
  error: 31,
  fatal: 31,
};
/** Said by the prefix, or of no use to somebody who watches one machine. */
const unshown = new Set(['level', 'time', 'msg', 'err', 'pid', 'hostname', 'name', 'service', 'version']);
const nameWidth = 'outbox-dispatcher'.length;

export interface LineStyle {
  readonly colour: boolean;
}

/** A service's log line for a person: time, service, level, message, the other fields. Plain text stays as it is. */
export function prettyLine(service: string, line: string, { colour }: LineStyle): string {
  const entry = parse(line);
  const level = textOf(entry?.level);
  const tint = colours[level];
  const label = level.toUpperCase().padEnd(5);
  const prefix = [
    timeOf(entry?.time),
    service.padEnd(nameWidth),
    colour && tint ? `\u001b[${tint}m${label}\u001b[39m` : label,
  ].join(' ');
  if (!entry) return `${prefix} ${line}`;
  return [`${prefix} ${[textOf(entry.msg), ...fieldsOf(entry)].join('  ')}`, ...stackOf(entry.err)].join(
    '\n',
  );
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function timeOf(time: unknown): string {
  const date = typeof time === 'number' || typeof time === 'string' ? new Date(time) : new Date();
  const valid = Number.isNaN(date.getTime()) ? new Date() : date;
  return valid.toTimeString().slice(0, 'hh:mm:ss'.length);
}

function fieldsOf(entry: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(entry)
    .filter(([key]) => !unshown.has(key))
    .map(([key, value]) => `${key}=${textOf(value)}`);
}

function stackOf(error: unknown): readonly string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { stack, message } = error as { stack?: unknown; message?: unknown };
  return textOf(stack ?? message)
    .split('\n')
    .map((line) => `  ${line}`);
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
