import { broken, type Judgement } from './judge.ts';

/** How a run went, in what it has to be judged by. */
export interface Course {
  readonly isAskable: boolean;
  /** On SQLite every transaction sees what was committed before it: nothing is ever left for the sweep. */
  readonly mayAdopt: boolean;
  readonly judgement: Judgement;
  /** Second deliveries there was a reason for. */
  readonly duplicatesAllowed: number;
  readonly finished: boolean;
  readonly kills: number;
  /** Those that hit somebody with rows in hand. */
  readonly killsWithRows: number;
  /** Workers to be frozen with a message ready to leave until others have delivered it. */
  readonly sendersToOvertake: number;
  readonly overtakenSenders: number;
  /** Rows the sweep had to make due. */
  readonly adopted: number;
  readonly recoveryMs: number | null;
  readonly recoveryLimitMs: number;
  /** Messages enqueued again that made a second row. */
  readonly repeatsTaken: number;
  readonly badSignatures: number;
  /** Workers that were told to stop, and ended in another way or not at all. */
  readonly disorderlyStops: number;
}

/** Fewer kills than this share that hit somebody with rows in hand prove nothing. */
const LEAST_SHARE_WITH_ROWS = 0.5;

const RULES: Readonly<Record<string, (course: Course) => boolean>> = {
  everythingIsSettled: ({ finished, judgement }) => finished && !broken(judgement.violations),
  // At least once is no licence: there must be a reason for each repetition.
  repetitionsHaveReasons: ({ isAskable, judgement, duplicatesAllowed }) =>
    judgement.duplicates <= (isAskable ? 0 : duplicatesAllowed),
  killsHitRowsInHand: ({ kills, killsWithRows }) => killsWithRows >= kills * LEAST_SHARE_WITH_ROWS,
  frozenSendersAreOvertaken: ({ sendersToOvertake, overtakenSenders }) =>
    sendersToOvertake === 0 || overtakenSenders > 0,
  sweepFindsNothing: ({ mayAdopt, adopted }) => mayAdopt || adopted === 0,
  rowsOfTheDeadAreTakenOver: ({ recoveryMs, recoveryLimitMs }) =>
    recoveryMs !== null && recoveryMs <= recoveryLimitMs,
  repeatsMakeNoRow: ({ repeatsTaken }) => repeatsTaken === 0,
  signaturesAreGood: ({ badSignatures }) => badSignatures === 0,
  workersStopInOrder: ({ disorderlyStops }) => disorderlyStops === 0,
};

/** The names of the rules that were broken. */
export function brokenRules(course: Course): string[] {
  return Object.entries(RULES)
    .filter(([, holds]) => !holds(course))
    .map(([name]) => name);
}
