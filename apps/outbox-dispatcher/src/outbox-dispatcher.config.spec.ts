import { ConfigError, loadConfig } from '@malote/service-kit';
import { expect, it } from '@jest/globals';
import { OutboxDispatcherConfig } from './outbox-dispatcher.config.ts';

const SECRET = `whsec_${Buffer.from('a secret of one application').toString('base64')}`;
const OTHERS = `whsec_${Buffer.from('a secret that others share').toString('base64')}`;

const load = (env: Readonly<Record<string, string>>) =>
  loadConfig(OutboxDispatcherConfig, { NODE_ENV: 'test', OUTBOX_SIGNING_SECRETS: OTHERS, ...env });

function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    load(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

it('knows the secrets of an application that has an address of its own', () => {
  const { gatewayAddresses, gatewaySecrets } = load({
    GATEWAY_URL_ASB: 'https://asb.example',
    GATEWAY_URL_CRN: 'https://crn.example',
    GATEWAY_SIGNING_SECRETS_ASB: `${SECRET},${OTHERS}`,
  });
  expect(gatewaySecrets.of(gatewayAddresses.tickets('asb'))).toEqual([SECRET, OTHERS]);
  expect(gatewaySecrets.of(gatewayAddresses.tickets('crn'))).toEqual([OTHERS]);
  expect(gatewaySecrets.of(gatewayAddresses.tickets('other'))).toEqual([OTHERS]);
});

it('does not start with secrets that are none, or that have no address of their own, and names them', () => {
  const problems = problemsOf({
    GATEWAY_URL_ASB: 'https://asb.example',
    GATEWAY_SIGNING_SECRETS_ASB: 'qwerty',
    GATEWAY_SIGNING_SECRETS_NEW: SECRET,
  });
  expect(problems).toEqual([
    expect.stringMatching(/^GATEWAY_SIGNING_SECRETS_ASB must be secrets/),
    expect.stringMatching(/^GATEWAY_SIGNING_SECRETS_NEW needs an address/),
  ]);
  expect(problems.join()).not.toContain('qwerty');
});

it.each(['GATEWAY_SIGNING_SECRETS_ASB', 'GATEWAY_URL_ASB'])(
  'names %s when its file cannot be read',
  (name) => {
    expect(problemsOf({ [`${name}_FILE`]: '/nowhere' })).toEqual([
      expect.stringMatching(new RegExp(`^${name} \\(${name}_FILE\\) names a file that cannot be read`)),
    ]);
  },
);
