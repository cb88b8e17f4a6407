/** No target may park a message for longer, by mistake or by malice; a day is the longest outage worth waiting for. */
export const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = String.raw`(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d|60)`;
const MONTH = `(?<month>${MONTHS.join('|')})`;
const DAY_NAME = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_DAY_NAME = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';

/** The three forms a recipient must accept (RFC 9110, section 5.6.7): IMF-fixdate, RFC 850, asctime. */
const HTTP_DATES = [
  String.raw`${DAY_NAME}, (?<day>\d\d) ${MONTH} (?<year>\d{4}) ${TIME} GMT`,
  String.raw`${LONG_DAY_NAME}, (?<day>\d\d)-${MONTH}-(?<year>\d\d) ${TIME} GMT`,
  String.raw`${DAY_NAME} ${MONTH} (?<day>\d\d| \d) ${TIME} (?<year>\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/** Milliseconds to wait from `now`, at most a day; undefined when the header is absent or says nothing usable. */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  const value = header?.trim();
  if (value === undefined) return undefined;
  const waitMs = /^\d+$/.test(value) ? Number(value) * 1_000 : waitUntil(parseHttpDate(value, now), now);
  return waitMs === undefined ? undefined : Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
}

function waitUntil(time: number | undefined, now: Date): number | undefined {
  return time === undefined ? undefined : time - now.getTime();
}

function parseHttpDate(value: string, now: Date): number | undefined {
  for (const form of HTTP_DATES) {
    const groups = form.exec(value)?.groups;
    if (groups === undefined) continue;
    const { year = '', month = '', day = '', hour, minute, second } = groups;
    const fullYear = year.length === 2 ? nearestYear(Number(year), now) : Number(year);
    const midnight = Date.UTC(fullYear, MONTHS.indexOf(month), Number(day));
    // Date.UTC turns 30 February into 1 March; such a header is garbage, not a date.
    if (new Date(midnight).getUTCDate() !== Number(day)) return undefined;
    return midnight + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000;
  }
  return undefined;
}

/** RFC 9110: two digits that look more than 50 years ahead mean the last such year that has passed. */
function nearestYear(twoDigits: number, now: Date): number {
  const latest = now.getUTCFullYear() + 50;
  return latest - ((latest - twoDigits) % 100);
}
