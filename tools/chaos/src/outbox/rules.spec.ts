import { describe, expect, it } from '@jest/globals';
import { type Judgement } from './judge.ts';
import { brokenRules, type Course } from './rules.ts';

const judgement: Judgement = {
  violations: {
    lost: 0,
    invented: 0,
    unsettled: 0,
    settledTwice: 0,
    reordered: 0,
    altered: 0,
    receiptsMissing: 0,
  },
  duplicates: 3,
  lateRepeats: 1,
};

const GOOD: Course = {
  isAskable: false,
  mayAdopt: false,
  judgement,
  duplicatesAllowed: 3,
  finished: true,
  kills: 10,
  killsWithRows: 5,
  sendersToOvertake: 2,
  overtakenSenders: 1,
  adopted: 0,
  recoveryMs: 2_000,
  recoveryLimitMs: 2_000,
  repeatsTaken: 0,
  badSignatures: 0,
  disorderlyStops: 0,
};

describe('the rules', () => {
  it('hold for a run in which nothing went wrong', () => {
    expect(brokenRules(GOOD)).toEqual([]);
    const once = { ...judgement, duplicates: 0 };
    expect(brokenRules({ ...GOOD, isAskable: true, judgement: once })).toEqual([]);
  });

  it('let the sweep find something where transactions read past locked rows', () => {
    expect(brokenRules({ ...GOOD, mayAdopt: true, adopted: 7 })).toEqual([]);
  });

  it.each<[string, Partial<Course>]>([
    ['everythingIsSettled', { finished: false }],
    [
      'everythingIsSettled',
      { judgement: { ...judgement, violations: { ...judgement.violations, lost: 1 } } },
    ],
    ['repetitionsHaveReasons', { duplicatesAllowed: 2 }],
    ['repetitionsHaveReasons', { isAskable: true, judgement: { ...judgement, duplicates: 1 } }],
    ['killsHitRowsInHand', { killsWithRows: 4 }],
    ['frozenSendersAreOvertaken', { overtakenSenders: 0 }],
    ['sweepFindsNothing', { adopted: 1 }],
    ['rowsOfTheDeadAreTakenOver', { recoveryMs: 2_001 }],
    ['rowsOfTheDeadAreTakenOver', { recoveryMs: null }],
    ['repeatsMakeNoRow', { repeatsTaken: 1 }],
    ['signaturesAreGood', { badSignatures: 1 }],
    ['workersStopInOrder', { disorderlyStops: 1 }],
  ])('%s can be broken', (rule, changes) => {
    expect(brokenRules({ ...GOOD, ...changes })).toEqual([rule]);
  });
});
