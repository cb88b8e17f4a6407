import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it } from '@jest/globals';
import { isAlive, npmBehindShell } from './npm-process.ts';

let child: ChildProcess | undefined;

afterEach(() => {
  child?.kill('SIGKILL');
});

/** Its pid, once it runs the command: before that it still looks like this process. */
async function pidOf(command: string, ...args: string[]): Promise<number> {
  const started = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child = started;
  await once(started.stdout, 'data');
  return started.pid ?? 0;
}

it('finds the parent of a shell', async () => {
  expect(npmBehindShell(await pidOf('sh', '-c', 'echo up; read line; true'))).toBe(process.pid);
});

it('does not look behind a parent that is no shell, nor behind one that is gone', async () => {
  const pid = await pidOf(process.execPath, '-e', 'console.log("up"); process.stdin.resume()');
  expect(npmBehindShell(pid)).toBeUndefined();

  child?.kill('SIGKILL');
  if (child) await once(child, 'exit');
  expect(npmBehindShell(pid)).toBeUndefined();
});

it('tells the living from the dead', async () => {
  const pid = await pidOf('sh', '-c', 'echo up; read line; true');
  expect(isAlive(pid)).toBe(true);

  child?.kill('SIGKILL');
  if (child) await once(child, 'exit');
  expect(isAlive(pid)).toBe(false);
});
