import { isAlive, npmBehindShell } from './npm-process.ts';

/** Ctrl-C arrives twice under npm: once from the terminal, once forwarded. */
const sameRequestMs = 500;
const parentCheckMs = 500;

/** Calls back on every request to stop: a signal, or the end of the npm that started this process. */
export function onStopRequest(stop: () => void): void {
  let lastAt = -Infinity;
  const request = () => {
    const now = performance.now();
    if (now - lastAt < sameRequestMs) return;
    lastAt = now;
    stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, request);

  // npm puts a shell in between, which dies of SIGTERM without passing it on, and survives when npm is killed.
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const npm = npmBehindShell(parent) ?? parent;
  const watch = setInterval(() => {
    if (process.ppid === parent && isAlive(npm)) return;
    clearInterval(watch);
    if (lastAt === -Infinity) request();
  }, parentCheckMs);
  watch.unref();
}
