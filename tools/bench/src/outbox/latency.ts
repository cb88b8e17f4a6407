import { Outbox } from '@malote/lanes';
import { type Figure } from '../figure.ts';
import { DRAIN_MS, openHttp, startEngine } from './engine.ts';
import { LaneFile } from './lane-file.ts';
import { delaysOf, quietFigure } from './quiet-lane.ts';
import { Sink } from './sink.ts';

/** From commit to the arrival at the sink when the lane is quiet and the writer is in the worker's process. */
export async function latency(): Promise<Figure> {
  const sink = await Sink.start();
  const file = await LaneFile.create();
  const http = openHttp();
  const engine = startEngine(file.uow, http);
  const outbox = new Outbox();
  outbox.onDue(() => {
    engine.wake();
  });
  const delays = (await delaysOf([{ name: 'own', uow: file.uow, outbox }], sink)).get('own') ?? [];
  await engine.stop(DRAIN_MS);
  await Promise.all([http.close(), sink.end(), file.remove()]);
  return quietFigure({ figure: 'outbox.latency', delays });
}
