import { setTimeout as sleep } from 'node:timers/promises';
import { Outbox } from '@malote/outbox';
import { figure, type Figure, rounded } from '../figure.ts';
import { percentile } from '../statistics.ts';
import { startEngine } from './engine.ts';
import { lane, LaneFile } from './lane-file.ts';
import { Sink } from './sink.ts';

const MESSAGES = 400;
const WARM_UP = 50;
const APART_MS = 5;

/** From commit to the first byte at the sink when the lane is quiet and the writer is in the worker's process. */
export async function latency(): Promise<Figure> {
  const sink = await Sink.start();
  const file = await LaneFile.create();
  const outbox = new Outbox(file.uow);
  const engine = startEngine(file.uow, {}, {});
  outbox.onEnqueued(lane.name, () => {
    engine.worker.wake();
  });
  const committed = new Map<string, number>();
  for (let n = 0; n < WARM_UP + MESSAGES; n += 1) {
    const messageKey = `latency-${n}`;
    await file.uow.run(async (tx) => {
      tx.afterCommit(() => committed.set(messageKey, monotonicMs()));
      const columns = { BusinessDocId: messageKey };
      await outbox.enqueue(tx, lane, { messageKey, targetUrl: sink.url, payload: payloadOf(n), columns });
    });
    await sleep(APART_MS);
  }
  await sleep(500);
  await engine.stop();
  const arrivals = await sink.arrivals();
  await sink.end();
  await file.remove();

  const delays = [...committed].slice(WARM_UP).map(([messageKey, at]) => {
    const arrived = arrivals.get(messageKey);
    if (arrived === undefined) throw new Error(`${messageKey} never arrived`);
    return arrived - at;
  });
  const p50 = rounded(percentile(delays, 50));
  const p99 = rounded(percentile(delays, 99));
  return figure({ figure: 'outbox.latency', value: p50, unit: 'ms', extra: { p50, p99 } });
}

/** `hrtime` is the machine's monotonic clock, the same in every process. */
function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

function payloadOf(n: number): string {
  return JSON.stringify({ n, filler: 'x'.repeat(1000) });
}
