import { expect, it } from '@jest/globals';
import { sandboxService, suiteServices } from './services.ts';
import { isDevelopment, wiring } from './wiring.ts';

const services = suiteServices(4001);
const sandbox = sandboxService(4001);

it('tells services where the gateway is, and the gateway where callbacks go', () => {
  expect(wiring(services, sandbox, { GATEWAY_URL: ' ' })).toEqual({
    GATEWAY_URL: 'http://127.0.0.1:4007/gateway',
    CALLBACK_URL: 'http://127.0.0.1:4002/api/tickets/callback',
  });
});

it('leaves alone what the environment sets, by value or by file', () => {
  const env = { GATEWAY_URL: 'https://gateway.example', CALLBACK_URL_FILE: '/run/secrets/callback_url' };

  expect(wiring(services, sandbox, env)).toEqual({});
});

it.each([
  [{}, true],
  [{ NODE_ENV: 'test' }, true],
  [{ NODE_ENV: ' production\n' }, false],
  [{ NODE_ENV_FILE: '/run/secrets/node_env' }, false],
])('with %j a sandbox is wanted: %s', (env, expected) => {
  expect(isDevelopment(env)).toBe(expected);
});
