import { type Tx, type UnitOfWork } from '@malote/persistence';
import { figure, type Figure, rounded } from '../figure.ts';
import { median } from '../statistics.ts';
import { LaneFile } from './lane-file.ts';

const WARM_UP = 10;

export interface SizeContest {
  readonly name: string;
  readonly aim: string;
  readonly rounds: number;
  readonly extra: Readonly<Record<string, number>>;
  /** What both files hold; the large one gets more before it. */
  fillBoth(file: LaneFile): void;
  fillLarge(file: LaneFile): void;
  /** `round` counts from 0. */
  measureMs(file: LaneFile, round: number, isLarge: boolean): Promise<number>;
}

/** The time something takes on a file with much in it, beside the time on one that holds only what it is about. */
export async function sizeContest(contest: SizeContest): Promise<Figure> {
  const small = await LaneFile.create();
  const large = await LaneFile.create();
  try {
    contest.fillLarge(large);
    for (const file of [small, large]) contest.fillBoth(file);
    const times = { small: [] as number[], large: [] as number[] };
    for (let round = 0; round < WARM_UP + contest.rounds; round += 1) {
      const ms = {
        small: await contest.measureMs(small, round, false),
        large: await contest.measureMs(large, round, true),
      };
      if (round < WARM_UP) continue;
      times.small.push(ms.small);
      times.large.push(ms.large);
    }
    return figure({
      figure: `outbox.${contest.name}`,
      value: median(times.large),
      unit: 'ms',
      limit: median(times.small),
      aim: contest.aim,
      extra: { ...contest.extra, best: rounded(Math.min(...times.large) / Math.min(...times.small)) },
    });
  } finally {
    await small.remove();
    await large.remove();
  }
}

class Undo extends Error {}

/** How long the work takes inside a unit of work that is rolled back: the next round finds everything as this one did. */
export async function timeAndUndo(uow: UnitOfWork, work: (tx: Tx) => Promise<unknown>): Promise<number> {
  let ms = 0;
  const timed = uow.run(async (tx) => {
    const began = performance.now();
    await work(tx);
    ms = performance.now() - began;
    throw new Undo();
  });
  await timed.catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
  return ms;
}
