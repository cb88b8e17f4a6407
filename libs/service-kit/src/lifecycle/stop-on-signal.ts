import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ServiceConfig } from '../config/service.config.ts';
import type { Log } from '../logging/log.ts';
import { Draining } from './draining.ts';

/**
 * Readiness turns red and stays so while balancers notice; then workers drain, the server finishes what it has, the database
 * closes, the log is flushed. Nest's hooks give the order: `beforeApplicationShutdown` runs before the server closes and
 * `onApplicationShutdown` after.
 */
export function stopOnSignal(app: NestFastifyApplication, config: ServiceConfig, log: Log): void {
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) {
      void end(log, 1, 'Stopped at once: a second signal came', { signal });
      return;
    }
    isStopping = true;
    void stop(app, config, log, signal);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

async function stop(
  app: NestFastifyApplication,
  config: ServiceConfig,
  log: Log,
  signal: NodeJS.Signals,
): Promise<void> {
  setTimeout(() => {
    void end(log, 1, 'Stopped before everything was finished', { timeoutMs: config.shutdownTimeoutMs });
  }, config.shutdownTimeoutMs).unref();
  log.info('stopping', { signal, delayMs: config.shutdownDelayMs });
  app.get(Draining).start();
  try {
    await sleep(config.shutdownDelayMs);
    await app.close();
  } catch (err) {
    await end(log, 1, 'Stopped with an error', { err });
  }
  await end(log, 0, 'stopped', { signal });
}

async function end(log: Log, exitCode: number, message: string, fields: object): Promise<never> {
  if (exitCode === 0) log.info(message, fields);
  else log.error(message, fields);
  await log.close();
  process.exit(exitCode);
}
