import { endWithParent } from '@malote/child-process';
import { type Order } from './courier.ts';
import { DRAIN_MS, openHttp, startEngine } from './engine.ts';
import { LaneFile } from './lane-file.ts';
import { RawLoop } from './raw-loop.ts';

const http = openHttp();

async function deliver(order: Order): Promise<number> {
  const file = LaneFile.open(order.folder);
  await file.uow.read((tx) => tx.query('SELECT 1'));
  const ms = order.way === 'engine' ? await throughEngine(file, order) : await throughLoop(file, order);
  await file.close();
  return ms;
}

/** Ends with the last settle; the drain that follows is not delivery. */
async function throughEngine({ uow }: LaneFile, { rows }: Order): Promise<number> {
  let left = rows;
  let finish: () => void;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const began = performance.now();
  const engine = startEngine(uow, http, {
    observer: {
      settled: () => {
        left -= 1;
        if (left === 0) finish();
      },
    },
  });
  await finished;
  const ms = performance.now() - began;
  await engine.stop(DRAIN_MS);
  return ms;
}

async function throughLoop(file: LaneFile, { rawClaim, target }: Order): Promise<number> {
  const began = performance.now();
  const loop = new RawLoop(file, http, rawClaim, target);
  await loop.run();
  const ms = performance.now() - began;
  loop.close();
  return ms;
}

endWithParent();
process.on('message', (order: Order) => {
  void deliver(order).then((ms) => process.send?.(ms));
});
process.send?.('ready');
