import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { findPorts, RunningCommand, workspaceRoot } from './testing/running-command.ts';

jest.setTimeout(150_000);

/** The shell lines of one section, against other ports than its own. */
function shellBlocks(heading: string, ports: readonly number[]): string[] {
  const readme = readFileSync(join(workspaceRoot, 'README.md'), 'utf8');
  const [, section = ''] = readme.split(`## ${heading}\n`);
  const own = section.split('\n## ', 1)[0] ?? '';
  return [...own.matchAll(/```sh\n(.*?)```/gs)].map(([, lines = '']) =>
    lines.replaceAll(/localhost:(300[1-6]|3900)/g, (_, port: string) => {
      const index = port === '3900' ? 6 : Number(port) - 3001;
      return `localhost:${ports[index]}`;
    }),
  );
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;

(hasCurl ? it : it.skip)('the README takes a newcomer from npm start to a delivered ticket', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'malote-readme-'));
  const ports = await findPorts(7);
  const env = {
    DEV_KEY_PATH: join(folder, 'dev-key.pem'),
    DATABASE_URL: `sqlite:${join(folder, 'malote.db')}`,
  };
  const [post = '', look = '', outage = '', ...none] = shellBlocks('Send a ticket', ports);
  const [askForDocument = ''] = look.split('\n');
  const untilCalledBack = `for i in $(seq 150); do ${askForDocument} | grep -q '"callbackStatus":"Success"' && break; sleep 0.2; done`;
  const suite = new RunningCommand(['npm', 'start', '--', '--ports-from', String(ports[0])], env);
  try {
    await suite.hasWritten('All 6 services are ready', 70_000);
    const script = ['set -e', post, untilCalledBack, look, outage].join('\n');
    const shell = new RunningCommand(['bash', '-c', script], env);

    expect(await shell.exitCode).toBe(0);
    expect(none).toEqual([]);
    expect(shell.output).toContain('"outcome":"created"');
    expect(shell.output).toContain('"status":"Processed"');
    expect(shell.output).toContain('"callbackStatus":"Success"');
    expect(shell.output).toMatch(/"kind":"return"[^}]*"decision":"accepted"/);
    expect(shell.output).toMatch(/"missing":\[\{[^\]]*phase 6/i);
    expect(shell.output).toContain('"down":true');
    expect(shell.output).toContain('"lanes":[');
  } finally {
    suite.signal('SIGTERM');
    await suite.exitCode;
    rmSync(folder, { recursive: true, force: true });
  }
});
