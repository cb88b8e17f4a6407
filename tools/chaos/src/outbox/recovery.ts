import { setTimeout as sleep } from 'node:timers/promises';
import { type Stage } from './storm.ts';

/** Fewer than one worker delivers at once: waiting for a place is not recovery. */
const MESSAGES = 30;

/** In calm weather: how long, at most, until a killed worker's rows come to the sink again. */
export async function timeRecovery({ options, sink, workers, producer, rows }: Stage): Promise<number> {
  await sink.turn('slow');
  let longestMs = 0;
  for (let n = 0; n < options.recoveries; n += 1) {
    await workers.allReady();
    const orderKeys = Array.from({ length: MESSAGES }, (_, row) => `recovery-${n}-${row}`);
    await producer.produce(MESSAGES, orderKeys);
    const pid = await rows.busiest(workers.pids);
    if (pid === undefined) throw new Error('Nobody takes the rows of a calm lane');
    const killedAt = monotonicMs();
    await workers.killOne(pid);
    const orphans = new Set(await rows.heldBy(pid));
    while (orphans.size > 0) {
      await sleep(50);
      const { ledger } = await sink.state(true);
      for (const { key, arrivedAt } of ledger) {
        if (arrivedAt < killedAt || !orphans.delete(key)) continue;
        longestMs = Math.max(longestMs, arrivedAt - killedAt);
      }
    }
  }
  await sink.turn('calm');
  return Math.round(longestMs);
}

function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
