import { setTimeout as sleep } from 'node:timers/promises';
import { type Service } from './services.ts';

const pollMs = 150;
const requestTimeoutMs = 2_000;

/** Resolves once the service answers /health/ready with 200; rejects with the signal's reason. */
export async function waitUntilReady(service: Service, signal: AbortSignal): Promise<void> {
  while (!(await isReady(service, signal))) await sleep(pollMs, undefined, { signal });
}

async function isReady({ port }: Service, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted();
  try {
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    // Refused or too slow: not up yet. Whoever waits sets the limit.
    return false;
  }
}
