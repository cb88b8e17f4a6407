import { type Answer, problem } from '../answer.ts';
import { type FaultValues } from './fault-dial.ts';
import { type Luck } from './luck.ts';
import { chance, flag, rangeMs, whole } from './setting.ts';

/** What can befall a request to any peer. */
export const WIRE_FAULTS = {
  seed: whole(1, Number.MAX_SAFE_INTEGER),
  latencyMs: rangeMs(0, 0),
  down: flag,
  reset: chance,
  serverError: chance,
  tooMany: chance,
  retryAfterSeconds: whole(1, 3_600),
  acceptThenFail: chance,
  acceptThenReset: chance,
  acceptThenHang: chance,
  hangMs: whole(30_000),
};

export type WireFaults = FaultValues<typeof WIRE_FAULTS>;
export type FaultBefore = 'reset' | 'serverError' | 'tooMany';
export type FaultAfter = 'acceptThenFail' | 'acceptThenReset' | 'acceptThenHang';

const SERVER_ERRORS = [500, 502, 503, 504];

/** The first fault that strikes before anything is stored. */
export function faultBeforeStoring(faults: WireFaults, luck: Luck): FaultBefore | undefined {
  return (['reset', 'serverError', 'tooMany'] as const).find((name) => luck.strikes(name, faults[name]));
}

/** The first fault that strikes between storing and answering. */
export function faultAfterStoring(faults: WireFaults, luck: Luck): FaultAfter | undefined {
  const names = ['acceptThenFail', 'acceptThenReset', 'acceptThenHang'] as const;
  return names.find((name) => luck.strikes(name, faults[name]));
}

export function answerInstead(
  fault: FaultBefore | Exclude<FaultAfter, 'acceptThenHang'>,
  faults: WireFaults,
  luck: Luck,
): Answer {
  switch (fault) {
    case 'reset':
    case 'acceptThenReset':
      return 'reset';
    case 'acceptThenFail':
      return problem(500, fault);
    case 'serverError':
      return problem(SERVER_ERRORS[luck.between('serverErrorStatus', [0, 3])] ?? 500, fault);
    case 'tooMany':
      return {
        ...problem(429, fault),
        headers: { 'retry-after': String(faults.retryAfterSeconds) },
      };
  }
}
