import { figure, type Figure, rounded } from '../figure.ts';
import { median, percentile } from '../statistics.ts';
import { RawLoop } from './raw-loop.ts';
import { RegisterFile } from './register-file.ts';
import { type Effort, type Round, warmThenTake } from './rounds.ts';

/** Somebody who gives out the numbers of a register. */
export interface Contender {
  take(): Promise<number>;
  end(): Promise<void>;
}

export interface Contest {
  readonly ours: readonly Round[];
  readonly raw: readonly number[];
  /** With as many numbers to a commit as there are callers. */
  readonly rawTogether: readonly number[];
  /** Numbers that were answered, and proved to be in the register. */
  readonly verified: number;
}

/** Both take turns, so that a machine that becomes slower becomes so for both. */
export async function contest(
  effort: Effort,
  enter: (file: RegisterFile) => Promise<Contender>,
): Promise<Contest> {
  const file = await RegisterFile.create();
  try {
    const loop = await RawLoop.open();
    try {
      return await compete(effort, file, loop, await enter(file));
    } finally {
      await loop.end();
    }
  } finally {
    await file.remove();
  }
}

async function compete(
  effort: Effort,
  file: RegisterFile,
  loop: RawLoop,
  contender: Contender,
): Promise<Contest> {
  const ours: Round[] = [];
  const raw: number[] = [];
  const rawTogether: number[] = [];
  const answered: number[] = [];
  try {
    for (let n = 0; n < effort.rounds; n += 1) {
      raw.push(loop.measure(effort));
      ours.push(await warmThenTake(effort, () => contender.take(), answered));
      rawTogether.push(loop.measure(effort, effort.callers));
    }
  } finally {
    await contender.end();
  }
  await file.check(answered);
  loop.check();
  return { ours, raw, rawTogether, verified: answered.length };
}

interface Naming {
  readonly name: string;
  readonly callers: number;
  readonly aim?: string;
}

export function figureOf(
  { ours, raw, rawTogether, verified }: Contest,
  { name, callers, aim }: Naming,
): Figure {
  const latency = (percent: number) =>
    rounded(median(ours.map(({ latencies }) => percentile(latencies, percent))));
  return figure({
    figure: `numbering.${name}`,
    value: median(ours.map(({ perSecond }) => perSecond)),
    unit: '/s',
    limit: median(raw),
    ...(aim !== undefined && { aim }),
    extra: {
      callers,
      p50Ms: latency(50),
      p99Ms: latency(99),
      // The limit commits each number on its own. Callers who wait at the same moment may share a commit: this is the limit of that.
      rawSharedCommit: rounded(median(rawTogether)),
      rounds: ours.map(({ perSecond }, n) => [rounded(perSecond), rounded(raw[n] ?? 0)]),
      verified,
    },
  });
}
