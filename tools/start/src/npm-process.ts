import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * npm runs a script through a shell. Some shells become the command they run, dash stays in between: then npm is the
 * parent's parent. Without such a shell that is whoever called npm, and who may leave (nohup).
 */
export function npmBehindShell(parent: number): number | undefined {
  try {
    const [, npm] = /^\s*(\d+) .*sh\s*$/.exec(parentAndName(parent)) ?? [];
    return npm === undefined ? undefined : Number(npm);
  } catch {
    // Windows has neither; there it stays with the signals.
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function parentAndName(pid: number): string {
  if (process.platform === 'linux') {
    // `pid (name) state parent …`; slim images have no ps.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^\d+ \((.*)\) \S (\d+) .*$/s, '$2 $1');
  }
  return execFileSync('ps', ['-o', 'ppid=', '-o', 'comm=', '-p', String(pid)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
