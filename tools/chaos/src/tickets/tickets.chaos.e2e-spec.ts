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

it('survives a small storm: every ticket is processed, returned, sent, acknowledged and called back, once and in order', () => {
  const { status, stdout, stderr } = chaos(
    'tickets --seed 5 --tickets 120 --kills 4 --stops 1 --limit-ms 100000',
  );
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({
    chaos: 'tickets',
    seed: 5,
    ok: true,
    tickets: 120,
    kills: 4,
    stops: 1,
    lost: 0,
    duplicates: 0,
    backwards: 0,
    gaps: 0,
    disagreeing: 0,
    reordered: 0,
    altered: 0,
    slow: 0,
    badSignatures: 0,
    refused: 0,
    refusedPosts: 0,
    crashes: 0,
  });
  expect(status).toBe(0);
}, 120_000);

it('says so, and fails, when not everything settled in time', () => {
  const { status, stdout } = chaos('tickets --tickets 120 --kills 2 --stops 0 --limit-ms 5000');
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, finished: false, settledSeconds: null });
  expect(status).toBe(1);
}, 60_000);
