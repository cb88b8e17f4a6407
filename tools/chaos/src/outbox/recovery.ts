import { setTimeout as sleep } from 'node:timers/promises';
import { type Stage, strike } from './storm.ts';

/** Fewer than one worker delivers at once: waiting for a place is not recovery. */
const MESSAGES = 30;
const POLL_MS = 50;

/** In calm weather: how long, at most, until others have taken over all rows of a killed worker. */
export async function timeRecovery(stage: Stage): Promise<number> {
  const { options, sink, workers, producer, rows } = stage;
  await sink.turn('slow');
  let longestMs = 0;
  for (let n = 0; n < options.recoveries; n += 1) {
    await workers.allReady();
    const orderKeys = Array.from({ length: MESSAGES }, (_, row) => `recovery-${n}-${row}`);
    await producer.produce(MESSAGES, orderKeys);
    const pid = await rows.busiest(() => workers.pids);
    if (pid === undefined) throw new Error('Nobody takes the rows of a calm lane');
    const killedAt = performance.now();
    await strike(stage, pid);
    while ((await rows.heldBy(pid)) > 0) await sleep(POLL_MS);
    longestMs = Math.max(longestMs, performance.now() - killedAt);
  }
  await sink.turn('calm');
  return Math.round(longestMs);
}
