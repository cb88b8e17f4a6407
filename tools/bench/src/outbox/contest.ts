import { figure, type Figure, rounded } from '../figure.ts';
import { median } from '../statistics.ts';
import { Courier, type Way } from './courier.ts';
import { LaneFile } from './lane-file.ts';
import { type RawClaim } from './raw-loop.ts';
import { Sink } from './sink.ts';

export const PAYLOAD_BYTES = 1024;
const ROWS = 20_000;
const ROUNDS = 3;

export interface Contest {
  readonly name: string;
  readonly aim?: string;
  readonly rawClaim: RawClaim;
  readonly fill: (file: LaneFile, rows: number, sink: Sink, way: Way) => void;
}

/** Rows per second through the engine beside those of a raw loop; both take turns, in processes of their own. */
export async function contest({ name, aim, rawClaim, fill }: Contest): Promise<Figure> {
  const sink = await Sink.start();
  const couriers = { engine: new Courier('engine', rawClaim), raw: new Courier('raw', rawClaim) };
  const rates: Record<Way, number[]> = { engine: [], raw: [] };
  const round = async (way: Way, rows: number) => {
    const file = await LaneFile.create();
    try {
      fill(file, rows, sink, way);
      await sink.count();
      const ms = await couriers[way].deliver(file, rows, sink.url);
      await check(file, rows, sink);
      return rows / (ms / 1000);
    } finally {
      await file.remove();
    }
  };
  try {
    // The first connections and the compiler's warm-up belong to nobody.
    for (const way of ['engine', 'raw'] as const) await round(way, ROWS / 4);
    for (let n = 0; n < ROUNDS; n += 1) {
      for (const way of ['engine', 'raw'] as const) rates[way].push(await round(way, ROWS));
    }
  } finally {
    await Promise.all([couriers.engine.end(), couriers.raw.end(), sink.end()]);
  }
  return figure({
    figure: `outbox.${name}`,
    value: median(rates.engine),
    unit: '/s',
    limit: median(rates.raw),
    ...(aim !== undefined && { aim }),
    extra: { rounds: rates.engine.map((rate, n) => [rounded(rate), rounded(rates.raw[n] ?? 0)]) },
  });
}

async function check(file: LaneFile, rows: number, sink: Sink): Promise<void> {
  const { requests, bytes } = await sink.count();
  const settled = file.countSettled();
  if (requests === rows && bytes === rows * PAYLOAD_BYTES && settled === rows) return;
  throw new Error(`${rows} rows became ${requests} requests, ${bytes} bytes and ${settled} settled rows`);
}
