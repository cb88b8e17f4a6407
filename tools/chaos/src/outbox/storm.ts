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
  readonly toll: Toll;
  /** For how long, at least, nobody sends a row again whose worker has vanished. */
  readonly doubtMs: number;
}

/** What the dead and the frozen have left to the others. */
export interface Toll {
  abandoned: number;
  killsWithRows: number;
  /** Workers that were frozen with a message ready to leave until others had delivered it. */
  overtakenSenders: number;
}

const OUTAGE_MS = 300;
const OUTAGE_LIMIT_MS = 3_000;
/** In so many times the shortest time others have sent it, faults and all. */
const OVERTAKEN_WITHIN = 4;
const TRIES_AT_SEND = 3;

/** Messages keep coming while workers are killed, frozen and replaced. */
export async function storm(stage: Stage): Promise<void> {
  const { options, random, sink, workers, producer, rows } = stage;
  const { messages, keys, kills, stops, restarts } = options;
  const orderKeys = Array.from({ length: keys }, (_, n) => `key-${n}`);
  const absences: Promise<void>[] = [];
  const busiest = () => rows.busiest(() => workers.pids);
  for (let n = 0; n < kills; n += 1) {
    const comes = (times: number) => share(times, n + 1) > share(times, n);
    const share = (times: number, upTo: number) => Math.floor((upTo * times) / kills);
    const first = producer.produce(share(messages, n + 0.5) - share(messages, n), orderKeys);
    if (comes(stops)) absences.push(freeze(stage, share(stops, n), await busiest()));
    if (comes(restarts)) absences.push(workers.restartOne(await busiest()));
    if (comes(2)) await passOutage(sink);
    await sleep(random.between(20, 400));
    await first;
    await workers.halfAtWork();
    // Whoever is killed shall have something in hand.
    const rest = producer.produce(share(messages, n + 1) - share(messages, n + 0.5), orderKeys);
    await strike(stage, await busiest());
    await rest;
  }
  await Promise.all(absences);
}

/** Lasts until somebody has met it, and a little longer. */
async function passOutage(sink: Sink): Promise<void> {
  const { faults } = await sink.state();
  await sink.turn('outage');
  const until = performance.now() + OUTAGE_LIMIT_MS;
  while ((await sink.state()).faults.outage === faults.outage && performance.now() < until) await sleep(20);
  await sleep(OUTAGE_MS);
  await sink.turn('storm');
}

/** Kills one and takes down what it left undone. */
export async function strike({ workers, rows, toll }: Stage, pid?: number): Promise<void> {
  const killed = await workers.killOne(pid);
  const held = await rows.heldBy(killed);
  toll.abandoned += held;
  if (held > 0) toll.killsWithRows += 1;
}

/** Of those who are frozen, every other one is frozen just before a message leaves where that must not arrive twice. */
export function freezesAtSend({ isAskable }: OutboxChaosOptions, nth: number): boolean {
  return isAskable && nth % 2 === 1;
}

/** No longer than a request that has left may be on its way, unless nothing has left. */
async function freeze(stage: Stage, nth: number, pid?: number): Promise<void> {
  const { options, random, workers } = stage;
  if (!freezesAtSend(options, nth)) return workers.freezeOne(options.leaseMs * random.between(1.3, 2), pid);
  const untilOvertaken = (messageKey: string) => overtake(stage, messageKey);
  for (let tries = 0; tries < TRIES_AT_SEND; tries += 1) {
    if (await workers.freezeOneAtSend(untilOvertaken, pid)) return;
  }
}

async function overtake({ rows, toll, doubtMs }: Stage, messageKey: string): Promise<void> {
  const until = performance.now() + doubtMs * OVERTAKEN_WITHIN;
  while (performance.now() < until) {
    if (await rows.isSent(messageKey)) {
      toll.overtakenSenders += 1;
      return;
    }
    await sleep(50);
  }
}
