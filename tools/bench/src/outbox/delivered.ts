import { figure, type Figure } from '../figure.ts';
import { median } from '../statistics.ts';
import { startEngine } from './engine.ts';
import { LaneFile } from './lane-file.ts';
import { rawLoop } from './raw-loop.ts';
import { Sink } from './sink.ts';

const ROWS = 20_000;
const ROUNDS = 3;
const PAYLOAD_BYTES = 1024;

/** Delivered per second through real HTTP to another process, beside a hand-written loop that does only that. */
export async function delivered(): Promise<Figure> {
  const sink = await Sink.start();
  const engine: number[] = [];
  const raw: number[] = [];
  try {
    // The first connections and the compiler's warm-up belong to nobody.
    await round(sink, ROWS / 10, throughEngine);
    await round(sink, ROWS / 10, rawLoop);
    for (let n = 0; n < ROUNDS; n += 1) {
      engine.push(await round(sink, ROWS, throughEngine));
      raw.push(await round(sink, ROWS, rawLoop));
    }
  } finally {
    await sink.end();
  }
  return figure({
    figure: 'outbox.delivered',
    value: median(engine),
    unit: '/s',
    limit: median(raw),
    aim: '>=0.7',
    extra: { rounds: engine.map((rate, n) => [Math.round(rate), Math.round(raw[n] ?? 0)]) },
  });
}

type Deliver = (file: LaneFile, target: string, rows: number) => Promise<void>;

async function round(sink: Sink, rows: number, deliver: Deliver): Promise<number> {
  const file = await LaneFile.create();
  try {
    file.insert({ count: rows, target: sink.url, state: 'waiting', payloadBytes: PAYLOAD_BYTES });
    await sink.count();
    const began = performance.now();
    await deliver(file, sink.url, rows);
    const seconds = (performance.now() - began) / 1000;
    const { requests, bytes } = await sink.count();
    const settled = file.countSettled();
    if (requests !== rows || bytes !== rows * PAYLOAD_BYTES || settled !== rows) {
      throw new Error(`${rows} rows became ${requests} requests, ${bytes} bytes and ${settled} settled rows`);
    }
    return rows / seconds;
  } finally {
    await file.remove();
  }
}

/** Ends with the last settle; the drain that follows is not delivery. */
async function throughEngine(file: LaneFile, _target: string, rows: number): Promise<void> {
  let left = rows;
  let finish: () => void;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { stop } = startEngine(
    file.uow,
    {},
    {
      settled: () => {
        left -= 1;
        if (left === 0) finish();
      },
    },
  );
  await finished;
  await stop();
}
