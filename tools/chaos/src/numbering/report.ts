import { type RegisterAudit } from '@malote/numbering';
import { type ChaosReport } from '../chaos.ts';
import { type Callers } from './callers.ts';
import { broken, type Judgement } from './judge.ts';
import { type NumberingChaosOptions } from './options.ts';
import { type LogRow } from './register-rows.ts';
import { type Workers } from './workers.ts';
import { YEARS } from './year-turn.ts';

export interface Performance {
  readonly options: NumberingChaosOptions;
  readonly callers: Callers;
  readonly workers: Workers;
  readonly log: readonly LogRow[];
  readonly judgement: Judgement;
  /** What the register says of itself, one for each document type. */
  readonly audits: readonly RegisterAudit[];
  readonly finished: boolean;
  readonly seconds: number;
}

const EXAMPLES = 5;

export function reportOf(performance: Performance): ChaosReport {
  const { options, callers, workers, log, judgement, audits, finished, seconds } = performance;
  const perYear = Object.fromEntries(
    YEARS.map((year) => [year, log.filter((row) => row.year === year).length]),
  );
  const auditedEntries = audits
    .flatMap(({ sequences }) => sequences)
    .reduce((sum, one) => sum + one.entries, 0);
  const auditIntact = audits.every(({ intact }) => intact) && auditedEntries === log.length;
  const cases = Object.entries(judgement) as [string, readonly string[]][];
  const examples = cases.flatMap(([promise, lines]) =>
    lines.slice(0, EXAMPLES).map((line) => `${promise}: ${line}`),
  );
  const troubles = [callers.refusals, workers.crashes].flatMap((some) => some.slice(0, EXAMPLES));
  return {
    chaos: 'numbering',
    seed: options.seed,
    ok:
      finished &&
      auditIntact &&
      troubles.length === 0 &&
      !broken(judgement) &&
      // A run that never came to the new year has not shown anything about it.
      Object.values(perYear).every((count) => count > 0),
    ...Object.fromEntries(cases.map(([promise, lines]) => [promise, lines.length])),
    auditIntact,
    answered: callers.answeredWishes,
    logged: log.length,
    perYear,
    processes: options.processes,
    kills: workers.kills,
    midTransactionKills: workers.midTransactionKills,
    unansweredKills: workers.unansweredKills,
    lostAnswers: callers.lostAnswers,
    unavailable: callers.unavailable,
    repeatsOfSameKey: callers.answers.length - callers.answeredWishes,
    recovered: callers.recovered,
    loggedButNeverHeard: log.length - callers.answeredWishes,
    refused: callers.refusals.length,
    crashes: workers.crashes.length,
    finished,
    seconds,
    perSecond: Math.round(callers.answeredWishes / seconds),
    ...(examples.length > 0 && { examples }),
    ...(troubles.length > 0 && { troubles }),
  };
}
