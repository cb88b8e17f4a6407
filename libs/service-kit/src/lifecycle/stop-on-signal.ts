import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ServiceConfig } from '../config/service.config.ts';
import type { Log } from '../logging/log.ts';
import { Draining } from './draining.ts';
import { EXIT, type ProcessEnd } from './process-end.ts';

/**
 * Readiness turns red and stays so while balancers notice; then workers drain, the server finishes what it has, the database
 * closes, the log is flushed. Nest's hooks give the order: `beforeApplicationShutdown` runs before the server closes and
 * `onApplicationShutdown` after.
 */
export function stopOnSignal(
  app: NestFastifyApplication,
  config: ServiceConfig,
  log: Log,
  end: ProcessEnd,
): void {
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) {
      void end.with(EXIT.notInOrder, 'error', 'Stopped at once: a second signal came', { signal });
      return;
    }
    isStopping = true;
    setTimeout(() => {
      const timeoutMs = config.shutdownTimeoutMs;
      void end.with(EXIT.notInOrder, 'error', 'Stopped before everything was finished', { timeoutMs });
    }, config.shutdownTimeoutMs).unref();
    void stop(app, config, log, signal).then(
      () => end.with(EXIT.stopped, 'info', 'stopped', { signal }),
      (err: unknown) => end.with(EXIT.notInOrder, 'error', 'Stopped with an error', { err }),
    );
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
  log.info('stopping', { signal, delayMs: config.shutdownDelayMs });
  app.get(Draining).start();
  await sleep(config.shutdownDelayMs);
  await app.close();
}
