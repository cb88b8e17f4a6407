import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_RETRY_AFTER_MS, parseRetryAfter } from './retry-after.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const imfFixdate = (date: Date) => date.toUTCString();
const rfc850 = (date: Date) => {
  const [, day, month, year, time] = date.toUTCString().split(' ');
  return `${DAYS[date.getUTCDay()] ?? ''}, ${day ?? ''}-${month ?? ''}-${year?.slice(2) ?? ''} ${time ?? ''} GMT`;
};
const asctime = (date: Date) => {
  const day = String(date.getUTCDate()).padStart(2);
  const time = date.toISOString().slice(11, 19);
  const name = DAYS[date.getUTCDay()]?.slice(0, 3) ?? '';
  return `${name} ${MONTHS[date.getUTCMonth()] ?? ''} ${day} ${time} ${date.getUTCFullYear()}`;
};

/** Whole seconds over about a century, the reach of a two-digit year. */
const anyNow = fc
  .integer({ min: Date.UTC(2000, 0, 1) / 1_000, max: Date.UTC(2099, 0, 1) / 1_000 })
  .map((seconds) => new Date(seconds * 1_000));
const withinADay = fc.nat({ max: MAX_RETRY_AFTER_MS / 1_000 });

describe('parseRetryAfter', () => {
  it.each([
    ['seconds', '120', 120_000],
    ['no wait', '0', 0],
    ['surrounding blanks', ' 7\t', 7_000],
    ['an IMF-fixdate', 'Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    ['an RFC 850 date', 'Sunday, 01-Mar-26 12:01:00 GMT', 60_000],
    ['an asctime date', 'Sun Mar  1 12:00:05 2026', 5_000],
    ['a leap second', 'Sun, 01 Mar 2026 12:00:60 GMT', 60_000],
    ['a date that has passed', 'Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['a two-digit year more than fifty ahead, so of the last century', 'Sunday, 06-Nov-94 08:49:37 GMT', 0],
    ['more seconds than a number can count', '9'.repeat(400), MAX_RETRY_AFTER_MS],
    ['a date beyond a day', 'Mon, 01 Mar 2027 12:00:00 GMT', MAX_RETRY_AFTER_MS],
    ['a two-digit year less than fifty ahead', 'Sunday, 01-Mar-75 12:00:00 GMT', MAX_RETRY_AFTER_MS],
  ])('reads %s', (_, header, expected) => {
    expect(parseRetryAfter(header, NOW)).toBe(expected);
  });

  it.each([
    undefined,
    '',
    '-1',
    '+1',
    '1.5',
    '1e3',
    '0x10',
    '٣',
    'soon',
    '120, 60',
    '2026-03-01T12:00:30Z',
    'Sun, 01 Mar 2026 12:00:30',
    'Sun, 01 Mar 2026 12:00:30 BRT',
    'Sun, 01 Mar 2026 24:00:00 GMT',
    'Mon, 30 Feb 2026 12:00:30 GMT',
    'Sun, 00 Mar 2026 12:00:30 GMT',
    'Sun Mar 1 12:00:05 2026',
  ])('makes nothing of %j', (header) => {
    expect(parseRetryAfter(header, NOW)).toBeUndefined();
  });

  it('gives back any number of seconds up to a day', () => {
    fc.assert(
      fc.property(withinADay, anyNow, (seconds, now) => {
        expect(parseRetryAfter(String(seconds), now)).toBe(seconds * 1_000);
      }),
    );
  });

  it.each([
    ['IMF-fixdate', imfFixdate],
    ['RFC 850', rfc850],
    ['asctime', asctime],
  ])(
    'gives back any instant of the next day written as %s, also across a turn of the century',
    (_, write) => {
      fc.assert(
        fc.property(withinADay, anyNow, (seconds, now) => {
          const header = write(new Date(now.getTime() + seconds * 1_000));
          expect(parseRetryAfter(header, now)).toBe(seconds * 1_000);
        }),
      );
      const newYearsEve = new Date('2099-12-31T23:59:30Z');
      expect(parseRetryAfter(write(new Date('2100-01-01T00:00:30Z')), newYearsEve)).toBe(60_000);
    },
  );

  it('never answers anything but undefined or a wait between nothing and a day', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('0', '1', '9', '-', '.', ':', ' ', ',', 'Sun', 'Mar', 'GMT') }),
        anyNow,
        (header, now) => {
          const waitMs = parseRetryAfter(header, now) ?? 0;
          expect(waitMs).toBeGreaterThanOrEqual(0);
          expect(waitMs).toBeLessThanOrEqual(MAX_RETRY_AFTER_MS);
        },
      ),
    );
  });
});
