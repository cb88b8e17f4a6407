import { setTimeout as sleep } from 'node:timers/promises';
import { type Outbox } from '@malote/lanes';
import { type UnitOfWork } from '@malote/persistence';
import { figure, type Figure, rounded } from '../figure.ts';
import { percentile } from '../statistics.ts';
import { PAYLOAD_BYTES } from './contest.ts';
import { lane, payloadOf } from './lane-file.ts';
import { type Sink } from './sink.ts';

export const MESSAGES = 300;
const WARM_UP = 30;
/** Without a jitter all messages would meet the same moment of somebody's rhythm. */
const APART_MS = 20;
const JITTER_MS = 40;
/** The last ones are under way. */
const LAST_MS = 1_500;

/** Where a writer puts its messages; each lane has a worker of its own. */
export interface QuietLane {
  /** Unique among those a sink serves. */
  readonly name: string;
  readonly uow: UnitOfWork;
  readonly outbox: Outbox;
}

/**
 * Writes one message at a time into each of the lanes in turn; returns by lane how many milliseconds after its commit each
 * message reached the sink.
 */
export async function delaysOf(
  lanes: readonly QuietLane[],
  sink: Sink,
): Promise<ReadonlyMap<string, number[]>> {
  const committed = new Map<string, number>();
  for (let n = 0; n < WARM_UP + MESSAGES; n += 1) {
    for (const { name, uow, outbox } of lanes) {
      const messageKey = `${name}-${n}`;
      await uow.run(async (tx) => {
        tx.afterCommit(() => committed.set(messageKey, monotonicMs()));
        const message = { messageKey, targetUrl: sink.url, payload: payloadOf(PAYLOAD_BYTES) };
        await outbox.enqueue(tx, lane, { ...message, columns: { BusinessDocId: messageKey } });
      });
      await sleep(APART_MS + Math.random() * JITTER_MS);
    }
  }
  await sleep(LAST_MS);
  const arrivals = await sink.arrivals();
  const delayOf = (messageKey: string) => {
    const arrived = arrivals.get(messageKey);
    if (arrived === undefined) throw new Error(`${messageKey} never arrived`);
    return arrived - (committed.get(messageKey) ?? NaN);
  };
  return new Map(
    lanes.map(({ name }) => [
      name,
      Array.from({ length: MESSAGES }, (_, n) => delayOf(`${name}-${WARM_UP + n}`)),
    ]),
  );
}

export interface QuietFigure {
  readonly figure: string;
  readonly aim?: string;
  readonly delays: readonly number[];
  readonly rawDelays?: readonly number[] | undefined;
}

export function quietFigure({ delays, rawDelays, ...named }: QuietFigure): Figure {
  const part = (samples: readonly number[], percent: number) => rounded(percentile(samples, percent));
  return figure({
    ...named,
    value: percentile(delays, 50),
    unit: 'ms',
    ...(rawDelays && { limit: percentile(rawDelays, 50) }),
    extra: {
      p50: part(delays, 50),
      p99: part(delays, 99),
      ...(rawDelays && { rawP99: part(rawDelays, 99) }),
      messages: delays.length,
    },
  });
}

/** `hrtime` is the machine's monotonic clock, the same in every process. */
function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
