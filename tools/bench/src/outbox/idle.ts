import { setTimeout as sleep } from 'node:timers/promises';
import { LANE_DEFAULTS } from '@malote/outbox';
import { figure, type Figure } from '../figure.ts';
import { CountingUnitOfWork } from './counting-unit-of-work.ts';
import { startEngine } from './engine.ts';
import { LaneFile } from './lane-file.ts';

const POLLS = 6;

/** Statements per second of a lane with nothing to do, over whole polls: a cut through one would be luck. */
export async function idle(): Promise<Figure> {
  const file = await LaneFile.create();
  const statements: number[] = [];
  const uow = new CountingUnitOfWork(file.uow, () => {
    statements.push(performance.now());
  });
  const engine = startEngine(uow, {}, {});
  await sleep((POLLS + 1.5) * LANE_DEFAULTS.pollCeilingMs);
  await engine.stop();
  await file.remove();

  const polls = statements.filter(
    (at, n) => at - (statements[n - 1] ?? -Infinity) > LANE_DEFAULTS.pollCeilingMs / 2,
  );
  // The first poll opened the database; from the second to the last there are only whole ones.
  const [from, to] = [polls[1], polls.at(-1)];
  if (from === undefined || to === undefined || to <= from) throw new Error('The idle lane never polled');
  const counted = statements.filter((at) => at >= from && at < to).length;
  return figure({
    figure: 'outbox.idle',
    value: counted / ((to - from) / 1000),
    unit: '/s',
    aim: '<=1',
    extra: { statements: counted, seconds: Number(((to - from) / 1000).toFixed(2)) },
  });
}
