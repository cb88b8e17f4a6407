import { AppError } from '@malote/app-error';
import { type Database, type Finding } from '@malote/persistence';
import { beforeEach, expect, it } from '@jest/globals';
import { Log } from '../logging/log.ts';
import { LogLines } from '../testing/log-lines.ts';
import { DatabaseCheck } from './database-check.ts';

const REFUSED: Finding = { severity: 'refuse', check: 'triggers', text: 'dbo.TB_PAPER has a trigger' };
const WARNED: Finding = { severity: 'warn', check: 'indexes', text: 'dbo.TB_PAPER has no index' };
const TOLD: Finding = { severity: 'info', check: 'read-committed-snapshot', text: 'It is ON' };
const AWAY = new AppError('unavailable', 'database-unavailable', 'The database does not answer');

let lines: LogLines;
let findings: readonly Finding[] | Error;
let looks: number;
let now: number;
let check: DatabaseCheck;

beforeEach(() => {
  lines = new LogLines();
  findings = [];
  looks = 0;
  now = 0;
  const database = {
    inspect: () => {
      looks += 1;
      return findings instanceof Error ? Promise.reject(findings) : Promise.resolve(findings);
    },
  };
  const log = new Log('probe', { logLevel: 'info' }, lines);
  check = new DatabaseCheck(log, database as unknown as Database, () => now);
});

const told = () => lines.lines.map((line) => JSON.parse(line) as Record<string, unknown>);

it('looks once, and tells each finding by its severity', async () => {
  findings = [WARNED, TOLD];
  await Promise.all([check.passes(), check.passes()]);
  await check.passes();

  expect(looks).toBe(1);
  expect(told()).toEqual([
    expect.objectContaining({ level: 'warn', check: 'indexes', msg: `Database: ${WARNED.text}` }),
    expect.objectContaining({
      level: 'info',
      check: 'read-committed-snapshot',
      msg: `Database: ${TOLD.text}`,
    }),
  ]);
});

it('looks when the service starts, before anybody asks', async () => {
  check.onApplicationBootstrap();
  await check.passes();
  expect(looks).toBe(1);
});

it('is red as long as something is refused, looks again now and then, and tells only what is new', async () => {
  findings = [REFUSED, WARNED];
  const red = { kind: 'unavailable', code: 'database-unfit', message: expect.stringContaining(REFUSED.text) };
  await expect(check.passes()).rejects.toMatchObject(red);
  now = 5_000;
  await expect(check.passes()).rejects.toMatchObject(red);
  expect(looks).toBe(1);
  now = 11_000;
  await expect(check.passes()).rejects.toMatchObject(red);
  expect(looks).toBe(2);
  expect(told().map(({ level }) => level)).toEqual(['error', 'warn']);

  findings = [WARNED];
  now = 22_000;
  await check.passes();
  expect(told()).toHaveLength(2);
});

it('is as red as the database is away, and looks again when asked again', async () => {
  findings = AWAY;
  check.onApplicationBootstrap();
  await expect(check.passes()).rejects.toBe(AWAY);
  findings = [TOLD];
  await check.passes();
  expect(told()).toHaveLength(1);
});

it('stays red for what was refused while the database is away', async () => {
  findings = [REFUSED];
  await expect(check.passes()).rejects.toMatchObject({ code: 'database-unfit' });
  findings = AWAY;
  now = 11_000;
  await expect(check.passes()).rejects.toBe(AWAY);
  await expect(check.passes()).rejects.toBe(AWAY);
});

it('has nothing to look at in a service without a database', async () => {
  const none = new DatabaseCheck(new Log('probe', { logLevel: 'info' }, lines));
  none.onApplicationBootstrap();
  await none.passes();
  expect(lines.lines).toEqual([]);
});
