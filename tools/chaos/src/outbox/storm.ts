import { setTimeout as sleep } from 'node:timers/promises';
import { type SeededRandom } from '../seeded-random.ts';
import { type LaneRows } from './lane-rows.ts';
import { type OutboxChaosOptions } from './options.ts';
import { type Producer } from './producer.ts';
import { type Sink } from './sink.ts';
import { type Workers } from './workers.ts';

export interface Stage {
  readonly options: OutboxChaosOptions;
  readonly random: SeededRandom;
  readonly sink: Sink;
  readonly workers: Workers;
  readonly producer: Producer;
  readonly rows: LaneRows;
}

const OUTAGE_MS = 300;

/** Messages keep coming while workers are killed and frozen; returns how many rows the dead were holding. */
export async function storm({ options, random, sink, workers, producer, rows }: Stage): Promise<number> {
  const { messages, keys, kills, stops, leaseMs } = options;
  const orderKeys = Array.from({ length: keys }, (_, n) => `key-${n}`);
  const frozen: Promise<void>[] = [];
  const every = (times: number, n: number) =>
    Math.floor(((n + 1) * times) / kills) > Math.floor((n * times) / kills);
  let abandoned = 0;
  for (let n = 0; n < kills; n += 1) {
    const share = Math.floor(((n + 1) * messages) / kills) - Math.floor((n * messages) / kills);
    const producing = producer.produce(share, orderKeys);
    if (every(stops, n)) {
      const pid = await rows.busiest(workers.pids);
      frozen.push(workers.freezeOne(leaseMs * random.between(1.3, 2), pid));
    }
    if (every(2, n)) {
      await sink.turn('outage');
      await sleep(OUTAGE_MS);
      await sink.turn('storm');
    }
    await sleep(random.between(20, 400));
    abandoned += (await rows.heldBy(await workers.killOne())).length;
    await producing;
  }
  await Promise.all(frozen);
  return abandoned;
}
