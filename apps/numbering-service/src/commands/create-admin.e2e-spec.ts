import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { startTestService } from '@malote/service-kit/testing';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { service } from '../service.ts';

jest.setTimeout(90_000);

const root = join(import.meta.dirname, '../../../..');
let folder: string;
let env: Readonly<Record<string, string>>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'malote-admin-'));
  env = { DATABASE_URL: `sqlite:${join(folder, 'malote.db')}`, BCRYPT_COST: '4' };
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function command(...args: readonly string[]) {
  const entry = ['tools/run.js', 'apps/numbering-service/src/main.ts', 'create-admin'];
  const child = spawn(process.execPath, [...entry, ...args], { cwd: root, env: { ...process.env, ...env } });
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await exited, stdout, stderr };
}

const ana = ['--email', 'ana@itajai.example', '--name', 'Ana Souza'] as const;

it('makes the first admin, whose password lets them in once', async () => {
  const made = await command(...ana);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const password = /^Password for one login: (.+)$/m.exec(made.stdout)?.[1] ?? '';

  const numbering = await startTestService(service, { env });
  try {
    const logIn = () =>
      numbering.fetch('/api/auth/login', { method: 'POST', json: { email: ana[1], password } });
    const first = await logIn();
    expect([first.status, await first.json()]).toMatchObject([
      200,
      { mustChangePassword: true, user: { role: 'admin', name: 'Ana Souza' } },
    ]);
    expect((await logIn()).status).toBe(401);
  } finally {
    await numbering.close();
  }
});

it('makes no second first admin, gives the first one a new password, and can leave everything alone', async () => {
  await command(...ana);
  const second = await command('--email', 'bia@itajai.example', '--name', 'Bia Lima');
  expect(second).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('admin already') });

  const none = await command(...ana, '--if-none', '--json');
  expect(JSON.parse(none.stdout)).toEqual({ outcome: 'exists', email: ana[1] });

  const again = await command(...ana, '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'reset', temporaryPassword: expect.any(String) });
});

it.each([
  [['--email', 'nobody', '--name', 'Ana Souza'], /e-?mail/i],
  [['--email', 'ana@itajai.example'], /name/i],
  [['--mail', 'x'], /--mail/],
])('refuses %j and says why', async (args, why) => {
  const refused = await command(...args);
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(why) });
});
