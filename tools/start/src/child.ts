import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const graceMs = 10_000;

/**
 * Runs a service and stops it when the process that started it is gone, however that one ended: the IPC channel
 * closes even after SIGKILL.
 */
process.on('disconnect', () => {
  setTimeout(() => process.exit(1), graceMs).unref();
  process.kill(process.pid, 'SIGTERM');
});
process.channel?.unref();

const [node = '', , entry = '', ...rest] = process.argv;
process.argv = [node, resolve(entry), ...rest];
await import(pathToFileURL(resolve(entry)).href);
