import { describe, expect, it } from '@jest/globals';
import { LANE_DEFAULTS } from '../engine/lane-settings.ts';
import { LaneVariables } from './lane-variables.ts';

describe('settings of lanes from the environment', () => {
  it('are the defaults when nothing is said', () => {
    expect(new LaneVariables({}).settingsOf('gateway-send')).toEqual(LANE_DEFAULTS);
  });

  it('say something of all lanes, and something else of one', () => {
    const variables = new LaneVariables({
      LEASE_SECONDS: '20',
      LEASE_SECONDS_GATEWAY_SEND: '90',
      RETRY_BASE: '10s',
      DELIVERY_LIMIT_GATEWAY_SEND: '2m',
      ASK_QUIET_GATEWAY_SEND: '5m',
      TIMEOUT_SECONDS_GATEWAY_SEND: '40',
      MAX_ATTEMPTS: '7',
    });
    expect(variables.settingsOf('gateway-send')).toMatchObject({
      leaseMs: 90_000,
      deliveryLimitMs: 120_000,
      requestTimeoutMs: 40_000,
      retry: { baseMs: 10_000, maxAttempts: 7 },
      ask: { quietMs: 300_000 },
    });
    expect(variables.settingsOf('ticket-return')).toMatchObject({
      leaseMs: 20_000,
      deliveryLimitMs: LANE_DEFAULTS.deliveryLimitMs,
    });
    expect(variables.problems()).toEqual([]);
  });

  it('are all refused by name when they make no sense', () => {
    const variables = new LaneVariables({
      BATCH: '5000',
      CONCURRENCY_GATEWAY_SEND: 'many',
      POLL: '10ms',
      RETRY_BASE: 'soon',
      SIGNING_SECRETS: 'not a lane setting',
      DISPATCHER_SERVICE_HOST: '10.0.0.1',
    });
    expect(variables.problems()).toEqual([
      'OUTBOX_BATCH must not be greater than 1000',
      'OUTBOX_CONCURRENCY_GATEWAY_SEND must be a whole number',
      'OUTBOX_POLL must not be less than 200 ms',
      'OUTBOX_RETRY_BASE must be a duration such as 500ms, 30s, 5m or 8h',
    ]);
  });

  it('are told when they name a lane that is not there', () => {
    const variables = new LaneVariables({ BATCH: '50', BATCH_GATEWAY_SEND: '50', BATCH_GATEWAY_SENT: '50' });
    expect(variables.strays(['gateway-send'])).toEqual(['OUTBOX_BATCH_GATEWAY_SENT']);
  });
});
