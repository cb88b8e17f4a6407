import { describe, expect, it } from '@jest/globals';
import { defineLane } from './lane.ts';
import { DELIVERY_TRANSITIONS, laneStates } from './lane-states.ts';

describe('the states of a lane', () => {
  it('are those its transitions lead through', () => {
    expect(laneStates('sample', DELIVERY_TRANSITIONS, 'Pending')).toEqual({
      waiting: 'Pending',
      working: 'Sending',
      done: 'Sent',
      failed: 'Error',
    });
  });

  const { Pending, Sending, Error: failed } = DELIVERY_TRANSITIONS;
  it.each([
    ['nobody takes over from a worker that vanished', { Sending: { ...Sending, claim: 'Error' } }],
    ['nobody brings back what gave up', { Error: { claim: failed.claim, discard: failed.discard } }],
    ['nothing can be discarded', { Error: { claim: failed.claim, replay: failed.replay } }],
    ['what is handed back does not wait', { Sending: { ...Sending, refund: 'Error' } }],
    ['a state leads nowhere', { Pending: { ...Pending, lose: 'Lost' }, Lost: { find: 'Nowhere' } }],
  ])('are refused when %s', (_, change) => {
    expect(() => laneStates('sample', { ...DELIVERY_TRANSITIONS, ...change }, 'Pending')).toThrow('sample');
  });

  it('are checked when the lane is declared, before any service starts with it', () => {
    expect(() =>
      defineLane({
        name: 'broken',
        table: 'TB_BROKEN',
        columns: {
          status: 'Status',
          attemptCount: 'AttemptCount',
          abandonCount: 'AbandonCount',
          lastError: 'LastError',
          lastAttemptAt: 'LastAttemptAt',
          sentAt: 'SentAt',
          nextAttemptAt: 'NextAttemptAt',
          leaseOwner: 'LeaseOwner',
          discardedAt: 'DiscardedAt',
          updatedAt: null,
        },
        transitions: { ...DELIVERY_TRANSITIONS, Pending: {} },
        waiting: 'Pending',
        payload: [],
        purges: false,
      }),
    ).toThrow('The transitions of lane broken do not say where "claim" leads from Pending');
  });
});
