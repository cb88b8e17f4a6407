import { describe, expect, it } from '@jest/globals';
import { DEVELOPMENT_SIGNING_SECRET } from '@malote/http-delivery';
import { loadConfig } from '@malote/service-kit';
import { LanesConfig } from './lanes.config.ts';

const load = (env: Record<string, string>) => loadConfig(LanesConfig, { PORT: '0', ...env });

describe('the configuration of a service that works lanes off', () => {
  it('keeps secrets out of the settings of lanes', () => {
    const config = load({ OUTBOX_SIGNING_SECRETS: DEVELOPMENT_SIGNING_SECRET, OUTBOX_BATCH: '50' });
    expect(config.laneTexts).toEqual({ BATCH: '50' });
    expect(config.laneSettings('any')).toMatchObject({ batch: 50 });
  });

  it.each([
    [{ OUTBOX_SIGNING_SECRETS_FILE: '/nowhere' }, /OUTBOX_SIGNING_SECRETS \(OUTBOX_SIGNING_SECRETS_FILE\)/],
    [{ OUTBOX_SIGNING_SECRETS: `whsec_${'='.repeat(40)}` }, /OUTBOX_SIGNING_SECRETS must be secrets/],
    [{ OUTBOX_SIGNING_SECRETS: 'hunter2' }, /OUTBOX_SIGNING_SECRETS must be secrets/],
    [{ OUTBOX_LEASE_SECONDS_FILE: '/nowhere' }, /OUTBOX_LEASE_SECONDS \(OUTBOX_LEASE_SECONDS_FILE\)/],
    [{ OUTBOX_LEASE_SECONDS: '0' }, /OUTBOX_LEASE_SECONDS must not be less than 1/],
    [{ OUTBOX_BUDGET_ROWS: '0' }, /OUTBOX_BUDGET_ROWS must not be less than 1/],
  ])('names what is wrong with %p', (env, problem) => {
    expect(() => load(env as Record<string, string>)).toThrow(problem);
  });

  it('gives the engine its budget', () => {
    expect(load({ OUTBOX_BUDGET_ROWS: '300', OUTBOX_BUDGET_MEGABYTES: '2' }).budget).toEqual({
      rows: 300,
      bytes: 2 * 1024 * 1024,
    });
  });
});
