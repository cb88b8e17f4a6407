import { checkTable, type TransitionTable } from '@malote/state-machine';

/** The four statuses a row of a lane goes through. */
export interface LaneStates {
  readonly waiting: string;
  readonly working: string;
  readonly done: string;
  readonly failed: string;
}

/** What may happen to anything that is delivered. `claim` out of a working state takes over from a worker whose lease ran out. */
export const DELIVERY_TRANSITIONS = {
  Pending: { claim: 'Sending' },
  Sending: { claim: 'Sending', succeed: 'Sent', fail: 'Error', refund: 'Pending' },
  Sent: {},
  Error: { claim: 'Sending', replay: 'Pending', discard: 'Error' },
} as const satisfies TransitionTable;

/** The states of a lane as its transition table leads through them; throws where the table does not allow what lanes do. */
export function laneStates(lane: string, table: TransitionTable, waiting: string): LaneStates {
  const step = (state: string, event: string): string => {
    const target = table[state]?.[event];
    if (target !== undefined) return target;
    throw new Error(`The transitions of lane ${lane} do not say where "${event}" leads from ${state}`);
  };
  const working = step(waiting, 'claim');
  const states = { waiting, working, done: step(working, 'succeed'), failed: step(working, 'fail') };
  const steps = [
    [working, 'claim', working],
    [working, 'refund', waiting],
    [states.failed, 'claim', working],
    [states.failed, 'replay', waiting],
    [states.failed, 'discard', states.failed],
  ] as const;
  for (const [state, event, target] of steps) {
    if (step(state, event) === target) continue;
    throw new Error(`In lane ${lane}, "${event}" has to lead from ${state} to ${target}`);
  }
  const [problem] = checkTable(table, { initial: [waiting] });
  if (problem) throw new Error(`The transitions of lane ${lane} are broken: ${JSON.stringify(problem)}`);
  return states;
}
