import { LANE_DEFAULTS, LaneStore } from '@malote/outbox';
import { figure, type Figure } from '../figure.ts';
import { median } from '../statistics.ts';
import { lane, LaneFile } from './lane-file.ts';

const SETTLED = 1_000_000;
const CLAIMS = 150;
const TARGET = 'http://127.0.0.1:9/acks';

/** A claim with a million delivered rows behind it, beside one on a table that holds nothing else. */
export async function claimWithHistory(): Promise<Figure> {
  const without = await LaneFile.create();
  const with1M = await LaneFile.create();
  try {
    with1M.insert({ count: SETTLED, target: TARGET, state: 'settled', payloadBytes: 100 });
    const rows = (CLAIMS + 10) * LANE_DEFAULTS.batch;
    const waiting = { count: rows, target: TARGET, state: 'waiting', payloadBytes: 1024 } as const;
    for (const file of [without, with1M]) file.insert(waiting);
    const times = { without: [] as number[], with1M: [] as number[] };
    for (let n = -10; n < CLAIMS; n += 1) {
      const [first, second] = [await claimMs(without, n), await claimMs(with1M, n)];
      if (n < 0) continue;
      times.without.push(first);
      times.with1M.push(second);
    }
    return figure({
      figure: 'outbox.claim-with-history',
      value: median(times.with1M),
      unit: 'ms',
      limit: median(times.without),
      aim: '<=1.2',
      extra: { settled: SETTLED },
    });
  } finally {
    await without.remove();
    await with1M.remove();
  }
}

async function claimMs(file: LaneFile, n: number): Promise<number> {
  const { batch, leaseMs } = LANE_DEFAULTS;
  const store = new LaneStore(lane, file.uow);
  const began = performance.now();
  const claimed = await file.uow.run((tx) => store.claim(tx, TARGET, `bench#${n}`, batch, leaseMs));
  const ms = performance.now() - began;
  if (claimed.length !== batch) throw new Error(`A claim of ${batch} rows got ${claimed.length}`);
  return ms;
}
