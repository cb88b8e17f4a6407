import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../../..');

function chaos(args: string) {
  return spawnSync(process.execPath, ['tools/run.js', 'tools/chaos/src/main.ts', ...args.split(' ')], {
    cwd: root,
    encoding: 'utf8',
  });
}

it('survives a small storm: processes die everywhere, the year turns, no number is missing or given out twice', () => {
  const { status, stdout, stderr } = chaos(
    'numbering --seed 5 --numbers 500 --processes 3 --callers 4 --kills 3 --mid-transaction-kills 4 --unanswered-kills 2 --limit-ms 60000',
  );
  expect(stderr).toBe('');
  const report = JSON.parse(stdout) as { logged: number };
  expect(report).toMatchObject({
    chaos: 'numbering',
    seed: 5,
    ok: true,
    gaps: 0,
    duplicates: 0,
    unlogged: 0,
    chainBroken: 0,
    sequencesAstray: 0,
    misdated: 0,
    altered: 0,
    auditIntact: true,
    kills: 3,
    midTransactionKills: 4,
    unansweredKills: 2,
    refused: 0,
    crashes: 0,
  });
  expect(report.logged).toBeGreaterThanOrEqual(500);
  expect(status).toBe(0);
}, 90_000);

it('says so, and fails, when not everybody was answered in time', () => {
  const { status, stdout } = chaos(
    'numbering --numbers 1000000 --processes 2 --kills 0 --mid-transaction-kills 0 --unanswered-kills 0 --limit-ms 4000',
  );
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, finished: false, gaps: 0, auditIntact: true });
  expect(status).toBe(1);
}, 60_000);
