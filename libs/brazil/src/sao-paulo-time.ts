const PARTS = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Sao_Paulo',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const MINUTE_MS = 60_000;
/** Offsets have only ever changed at full quarters of an hour, so one look-up serves all moments of a quarter. */
const QUARTER_MS = 15 * MINUTE_MS;

let known = { quarter: NaN, offsetMs: 0 };

/** The moment as a clock in São Paulo shows it, with its offset: `2025-06-15T11:30:00-03:00`. */
export function saoPauloTime(moment: Date): string {
  const offsetMs = offsetAt(moment);
  const local = new Date(moment.getTime() + offsetMs).toISOString().slice(0, 19);
  const minutes = Math.abs(offsetMs) / MINUTE_MS;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${local}${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** The year in São Paulo, which begins three hours after that of UTC. */
export function saoPauloYear(moment: Date): number {
  return Number(saoPauloTime(moment).slice(0, 4));
}

function offsetAt(moment: Date): number {
  const quarter = Math.floor(moment.getTime() / QUARTER_MS);
  if (quarter !== known.quarter) known = { quarter, offsetMs: readOffset(moment) };
  return known.offsetMs;
}

function readOffset(moment: Date): number {
  const parts = new Map(PARTS.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  const shown = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return shown - Math.floor(moment.getTime() / 1000) * 1000;
}
