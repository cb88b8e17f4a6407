import { type ChaosReport } from '../chaos.ts';
import { type Judgement } from './judge.ts';
import { brokenRules, type Course } from './rules.ts';
import { type SinkState } from './sink.ts';
import { freezesAtSend, type Stage } from './storm.ts';

export interface Performance {
  readonly stage: Stage;
  readonly judgement: Judgement;
  readonly sinkState: SinkState;
  readonly adopted: number;
  readonly mayAdopt: boolean;
  readonly recoveryLimitMs: number;
  /** Undefined when the run had to be ended. */
  readonly played: { readonly stormSeconds: number; readonly recoveryMs: number } | undefined;
  readonly seconds: number;
}

export function reportOf(performance: Performance): ChaosReport {
  const { stage, judgement, sinkState, played, seconds } = performance;
  const { options, workers, producer, toll } = stage;
  const { isAskable } = options;
  const course = courseOf(performance);
  const { duplicates, lateRepeats } = judgement;
  const { duplicatesAllowed } = course;
  const broken = brokenRules(course);
  return {
    chaos: isAskable ? 'outbox-askable' : 'outbox',
    seed: options.seed,
    ok: broken.length === 0,
    messages: producer.enqueued.size,
    kills: course.kills,
    killsWithRows: course.killsWithRows,
    stops: workers.stops,
    restarts: workers.restarts,
    ...(isAskable ? { secondDeliveries: duplicates } : { duplicates, duplicatesAllowed, lateRepeats }),
    ...judgement.violations,
    ...(isAskable && {
      asked: sinkState.asked,
      humansCalled: workers.humansCalled,
      overtakenSenders: course.overtakenSenders,
    }),
    adopted: course.adopted,
    abandoned: toll.abandoned,
    lostLeases: workers.lostLeases,
    acceptedThenFailed: sinkState.acceptedThenFailed,
    recoveryMs: course.recoveryMs,
    recoveryLimitMs: course.recoveryLimitMs,
    repeats: producer.repeats,
    repeatsTaken: course.repeatsTaken,
    signaturesVerified: sinkState.verified,
    badSignatures: course.badSignatures,
    faults: sinkState.faults,
    troubles: workers.troubles.length,
    finished: course.finished,
    disorderlyStops: course.disorderlyStops,
    stormSeconds: played?.stormSeconds ?? null,
    seconds,
    ...(workers.troubles.length > 0 && { lastTrouble: workers.troubles.at(-1) }),
    ...(broken.length > 0 && { broken, repeated: sinkState.repeated }),
  };
}

function courseOf({ stage, sinkState, played, ...known }: Performance): Course {
  const { options, workers, producer, toll } = stage;
  return {
    isAskable: options.isAskable,
    mayAdopt: known.mayAdopt,
    judgement: known.judgement,
    duplicatesAllowed: toll.abandoned + workers.lostLeases + sinkState.acceptedThenFailed,
    finished: played !== undefined,
    kills: workers.kills,
    killsWithRows: toll.killsWithRows,
    sendersToOvertake: Array.from({ length: options.stops }, (_, nth) => freezesAtSend(options, nth)).filter(
      Boolean,
    ).length,
    overtakenSenders: toll.overtakenSenders,
    adopted: known.adopted,
    recoveryMs: played?.recoveryMs ?? null,
    recoveryLimitMs: known.recoveryLimitMs,
    repeatsTaken: producer.repeatsTaken,
    badSignatures: sinkState.badSignatures,
    disorderlyStops: workers.disorderly,
  };
}
