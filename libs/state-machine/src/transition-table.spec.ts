import { describe, expect, it } from '@jest/globals';
import { AppError } from '@malote/app-error';
import fc from 'fast-check';
import { IllegalTransition } from './illegal-transition.ts';
import {
  can,
  type EventOf,
  eventsOf,
  isFinal,
  next,
  type StateOf,
  statesAllowing,
  statesOf,
  type TargetOf,
  type TransitionTable,
} from './transition-table.ts';

const ticket = {
  Awaiting: { claim: 'Processing' },
  Processing: { succeed: 'Processed', fail: 'Error', release: 'Awaiting' },
  Error: { retry: 'Processing', correct: 'Awaiting' },
  Processed: {},
} as const satisfies TransitionTable;

const anyState = fc.constantFrom(...statesOf(ticket));
const anyEvent = fc.constantFrom(...eventsOf(ticket));

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

describe('the compiler', () => {
  it('knows where a known event leads from a known state', () => {
    const claimed: 'Processing' = next(ticket, 'Awaiting', 'claim');
    const either: 'Awaiting' | 'Processing' extends TargetOf<
      typeof ticket,
      'Awaiting' | 'Error',
      'claim' | 'correct'
    >
      ? true
      : false = true;
    const nowhere: [TargetOf<typeof ticket, 'Processed', 'claim'>] extends [never] ? true : false = true;
    expect([claimed, either, nowhere]).toEqual(['Processing', true, true]);
  });

  it('refuses words the table does not know', () => {
    // @ts-expect-error no event of this table
    expect(can(ticket, 'Awaiting', 'explode')).toBe(false);
    // @ts-expect-error no state of this table
    expect(can(ticket, 'Sleeping', 'claim')).toBe(false);
  });
});

describe('an illegal event', () => {
  it('is a conflict that names the state, the event and what would be allowed', () => {
    const error = thrownBy(() => next(ticket, 'Error', 'succeed'));

    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({
      name: 'IllegalTransition',
      kind: 'conflict',
      code: 'illegal-transition',
      message: 'Error does not allow succeed, only retry, correct',
      state: 'Error',
      event: 'succeed',
      allowed: ['retry', 'correct'],
      details: { state: 'Error', event: 'succeed', allowed: ['retry', 'correct'] },
    });
  });

  it('is refused in a final state, where nothing is allowed', () => {
    expect(thrownBy(() => next(ticket, 'Processed', 'claim'))).toMatchObject({
      allowed: [],
      message: 'Processed does not allow claim, nothing',
    });
  });

  it('is refused when a row holds a state or event inherited by every object', () => {
    const table: TransitionTable = ticket;
    expect(can(table, 'constructor', 'name')).toBe(false);
    expect(can(table, 'Awaiting', 'toString')).toBe(false);
    expect(isFinal(table, 'toString')).toBe(false);
    expect(() => next(table, '__proto__', 'toString')).toThrow(IllegalTransition);
  });
});

describe('the table', () => {
  it('lists its states and events once each, in the order they are declared', () => {
    expect(statesOf(ticket)).toEqual(['Awaiting', 'Processing', 'Error', 'Processed']);
    expect(eventsOf(ticket)).toEqual(['claim', 'succeed', 'fail', 'release', 'retry', 'correct']);
    expect(eventsOf({ A: { go: 'B' }, B: { go: 'A' } })).toEqual(['go']);
  });

  it('calls final exactly the states no event leaves', () => {
    expect(statesOf(ticket).filter((state) => isFinal(ticket, state))).toEqual(['Processed']);
  });

  it('names the states an event may happen in, in the order they are declared', () => {
    expect(statesAllowing(ticket, 'claim')).toEqual(['Awaiting']);
    expect(statesAllowing({ A: { go: 'B' }, B: { go: 'A', stop: 'C' }, C: {} }, 'go')).toEqual(['A', 'B']);
    // @ts-expect-error no event of this table
    expect(statesAllowing(ticket, 'explode')).toEqual([]);
  });

  it('agrees with itself: can() is true exactly when next() returns a declared state', () => {
    const agrees = (state: StateOf<typeof ticket>, event: EventOf<typeof ticket>) => {
      const outcome = thrownBy(() => next(ticket, state, event));
      const arrived = statesOf(ticket).some((declared) => declared === outcome);
      expect(can(ticket, state, event)).toBe(arrived);
      expect(outcome instanceof IllegalTransition).toBe(!arrived);
    };
    fc.assert(fc.property(anyState, anyEvent, agrees));
  });
});
