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

/** The suite as the README starts it, on ports and a database of its own. */
async function withSuite(
  work: (
    ports: readonly number[],
    env: Readonly<Record<string, string>>,
    suite: RunningCommand,
  ) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'malote-readme-'));
  const ports = await findPorts(7);
  const env = {
    DEV_KEY_PATH: join(folder, 'dev-key.pem'),
    DATABASE_URL: `sqlite:${join(folder, 'malote.db')}`,
  };
  const suite = new RunningCommand(['npm', 'start', '--', '--ports-from', String(ports[0])], env);
  try {
    await suite.hasWritten('All 6 services are ready', 70_000);
    await work(ports, env, suite);
  } finally {
    suite.signal('SIGTERM');
    await suite.exitCode;
    rmSync(folder, { recursive: true, force: true });
  }
}

(hasCurl ? it : it.skip)('the README takes a newcomer from npm start to a delivered ticket', () =>
  withSuite(async (ports, env) => {
    const [post = '', look = '', outage = '', ...none] = shellBlocks('Send a ticket', ports);
    const [askForDocument = ''] = look.split('\n');
    const untilCalledBack = `for i in $(seq 150); do ${askForDocument} | grep -q '"callbackStatus":"Success"' && break; sleep 0.2; done`;
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
  }),
);

(hasCurl ? it : it.skip)('and to the first number of the year', () =>
  withSuite(async (ports, env, suite) => {
    await suite.hasWritten('Clerks take numbers at', 30_000);
    const PASSWORD = /log in as \S+ with (\S+)/.exec(suite.output)?.[1] ?? '';
    const [lines = '', ...none] = shellBlocks('Take a number', ports);
    const shell = new RunningCommand(['bash', '-c', `set -e\n${lines}`], { ...env, PASSWORD });

    expect(await shell.exitCode).toBe(0);
    expect(none).toEqual([]);
    expect(shell.output).toMatch(/"documentTypeName":"Ofício","prefix":"OF","number":1,/);
    expect(shell.output).toMatch(/\{"items":\[\{[^\]]*"subject":"Férias"/);
    expect(shell.output).toMatch(/\{"intact":true,.*"lastNumber":1,/);
  }),
);
