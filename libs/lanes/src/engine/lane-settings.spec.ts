import { describe, expect, it } from '@jest/globals';
import { askableLane, sampleLane } from '../testing/index.ts';
import { checkSettings, LANE_DEFAULTS } from './lane-settings.ts';

const long = { ...LANE_DEFAULTS, deliveryLimitMs: LANE_DEFAULTS.ask.quietMs + 1 };

describe('settings of a lane', () => {
  it.each([
    ['the defaults, for either kind of lane', askableLane, LANE_DEFAULTS],
    ['long deliveries of what may arrive twice', sampleLane, long],
  ])('are good: %s', (_, lane, settings) => {
    expect(() => {
      checkSettings(lane, settings);
    }).not.toThrow();
  });

  it.each([
    [
      'deliveries that are given up before their request is',
      sampleLane,
      { ...LANE_DEFAULTS, deliveryLimitMs: 15_000 },
      'TIMEOUT',
    ],
    [
      'absence that is believed while a request is on its way',
      askableLane,
      long,
      'OUTBOX_ASK_QUIET (60000 ms)',
    ],
  ])('are refused: %s', (_, lane, settings, problem) => {
    expect(() => {
      checkSettings(lane, settings);
    }).toThrow(problem);
  });
});
