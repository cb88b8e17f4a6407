import { expect, it } from '@jest/globals';
import { prettyLine } from './log-line.ts';

const plain = { colour: false };
const time = new Date(2026, 6, 1, 9, 5, 7).getTime();

it('shows time, service, level and message of a log record, then its other fields', () => {
  const line = JSON.stringify({
    level: 'info',
    time,
    pid: 1,
    service: 'ticket-api',
    msg: 'ticket received',
    ticketId: 42,
  });

  expect(prettyLine('ticket-api', line, plain)).toBe(
    '09:05:07 ticket-api        INFO  ticket received  ticketId=42',
  );
});

it('puts the stack of an error below the message', () => {
  const line = JSON.stringify({
    level: 'error',
    time,
    msg: 'failed',
    err: { stack: 'Error: boom\n    at x' },
  });

  expect(prettyLine('ticket-api', line, plain)).toBe(
    '09:05:07 ticket-api        ERROR failed\n  Error: boom\n      at x',
  );
});

it.each(['Killed', '{broken', ''])('passes on a line that is no record: "%s"', (line) => {
  expect(prettyLine('ticket-api', line, plain)).toMatch(/^\d\d:\d\d:\d\d ticket-api {14}/);
  expect(prettyLine('ticket-api', line, plain).endsWith(` ${line}`)).toBe(true);
});

it('colours the level only when asked', () => {
  const line = JSON.stringify({ level: 'error', time, msg: 'failed' });

  expect(prettyLine('ticket-api', line, { colour: true })).toContain('\u001b[31mERROR');
});
