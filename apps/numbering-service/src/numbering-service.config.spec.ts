import { expect, it } from '@jest/globals';
import { PRODUCTION, testConfig } from './testing/test-config.ts';

it('starts in development with nothing set', () => {
  const config = testConfig({ NODE_ENV: 'development', BCRYPT_COST: undefined });
  expect(config).toMatchObject({
    port: 3005,
    sessionIdleMs: 3_600_000,
    sessionMaxMs: 43_200_000,
    bcryptCost: 12,
    passwordContextWords: ['procuradoria', 'itajai', 'pgm', 'malote'],
    temporaryPasswordTtlMs: 259_200_000,
  });
  expect(config.sessionKeys).toHaveLength(1);
});

it('starts in production with keys of its own, two while they rotate', () => {
  const [one, two] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
  expect(testConfig(PRODUCTION).isProduction).toBe(true);
  expect(testConfig({ ...PRODUCTION, SESSION_KEY: `${one},${two}` }).sessionKeys).toEqual([one, two]);
});

it.each([
  ['no key', { SESSION_KEY: undefined }, 'SESSION_KEY must be set in production'],
  ['a short key', { SESSION_KEY: Buffer.alloc(31).toString('base64') }, 'SESSION_KEY must be 32 bytes'],
  [
    'three keys',
    { SESSION_KEY: Array(3).fill(PRODUCTION.SESSION_KEY).join() },
    'SESSION_KEY must contain no more',
  ],
  [
    'the development key',
    { SESSION_KEY: testConfig().sessionKeys.join() },
    'must not be the development key',
  ],
  ['a cheap hash', { BCRYPT_COST: '11' }, 'BCRYPT_COST must be 12 or more in production'],
  ['a hash that takes a minute', { BCRYPT_COST: '16' }, 'BCRYPT_COST must not be greater than 15'],
  ['sessions that end before they idle', { SESSION_MAX: '30m' }, 'SESSION_MAX must not be shorter'],
])('does not start in production with %s', (_name, env, problem) => {
  expect(() => testConfig({ ...PRODUCTION, ...env })).toThrow(problem);
});

it('hashes no cheaper than bcrypt can', () => {
  expect(() => testConfig({ BCRYPT_COST: '3' })).toThrow('BCRYPT_COST must not be less than 4');
});
