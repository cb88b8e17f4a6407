import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { IsBoolean, IsInt, IsString } from 'class-validator';
import { ConfigError } from './config-error.ts';
import { Env } from './env.decorator.ts';
import { type Environment, loadConfig } from './load-config.ts';
import { ServiceConfig } from './service.config.ts';

class TicketConfig extends ServiceConfig {
  @Env('PORT', { as: 'integer', default: '3002' })
  declare readonly port: number;

  @Env('CALLBACK_SECRET', { development: 'development-secret' })
  @IsString()
  readonly callbackSecret!: string;

  @Env('LEASE', { as: 'duration', default: '15s' })
  @IsInt()
  readonly leaseMs!: number;

  @Env('TARGETS', { as: 'list', default: '' })
  readonly targets!: readonly string[];

  @Env('TARGET_', { as: 'group' })
  readonly targetByCode!: Readonly<Record<string, string>>;

  @Env('ALLOW_PRIVATE', { as: 'boolean', default: 'no' })
  @IsBoolean()
  readonly allowPrivate!: boolean;
}

const PUBLIC_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
  type: 'spki',
  format: 'pem',
}) as string;

const production: Environment = {
  NODE_ENV: 'production',
  DATABASE_URL: 'mssql://app:hunter2@db:1433/REDEXV2',
  JWT_PUBLIC_KEY: PUBLIC_KEY.replaceAll('\n', '\\n'),
  JWT_ISSUER: 'https://login.example.com',
  JWT_AUDIENCE: 'malote',
  CALLBACK_SECRET: 'real',
};

function problemsOf(env: Environment): readonly string[] {
  try {
    loadConfig(TicketConfig, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

function secretFile(content: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'malote-config-')), 'secret');
  writeFileSync(file, content);
  return file;
}

it('gathers variables that share a prefix, from files too', () => {
  const file = secretFile('https://c.example');
  const env = {
    TARGET_ASB: 'https://a.example',
    TARGET_B2: ' ',
    TARGET_C_FILE: file,
    TARGETS: 'x',
    TARGET: 'y',
  };

  expect(loadConfig(TicketConfig, env).targetByCode).toEqual({
    ASB: 'https://a.example',
    C: 'https://c.example',
  });
  expect(problemsOf({ TARGET_C_FILE: '/nowhere' })).toEqual([
    'TARGET_C (TARGET_C_FILE) names a file that cannot be read: ENOENT',
  ]);
});

describe('loading the configuration', () => {
  it('needs nothing in development', () => {
    const config = loadConfig(TicketConfig, {});

    expect(config).toBeInstanceOf(TicketConfig);
    expect(Object.isFrozen(config)).toBe(true);
    expect(config).toMatchObject({
      nodeEnv: 'development',
      databaseUrl: 'sqlite:.malote/malote.db',
      port: 3002,
      host: '127.0.0.1',
      bodyLimitBytes: 1_048_576,
      shutdownDelayMs: 0,
      callbackSecret: 'development-secret',
      leaseMs: 15_000,
      targets: [],
      allowPrivate: false,
    });
  });

  it('trims and converts what is set', () => {
    const config = loadConfig(TicketConfig, {
      PORT: ' 8080 ',
      LEASE: '2m',
      TARGETS: 'a, b,,c',
      ALLOW_PRIVATE: 'TRUE',
      LOG_LEVEL: '',
    });

    expect(config).toMatchObject({
      port: 8080,
      leaseMs: 120_000,
      targets: ['a', 'b', 'c'],
      allowPrivate: true,
      logLevel: 'info',
    });
  });

  it('names every problem at once and shows no value', () => {
    const problems = problemsOf({
      PORT: 'hunter2',
      LEASE: 'soon',
      ALLOW_PRIVATE: 'maybe',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'postgres://u:hunter2@h/d',
    });

    expect(problems).toHaveLength(5);
    for (const name of ['PORT', 'LEASE', 'ALLOW_PRIVATE', 'LOG_LEVEL', 'DATABASE_URL']) {
      expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^${name} `)));
    }
    expect(problems.join()).not.toContain('hunter2');
  });

  it('refuses development defaults in production', () => {
    const problems = problemsOf({ NODE_ENV: 'production' });

    expect(problems).toEqual(
      expect.arrayContaining([
        'DATABASE_URL must be set in production',
        'JWT_ISSUER must be set in production',
        'JWT_AUDIENCE must be set in production',
        'CALLBACK_SECRET must be set in production',
        'JWT_PUBLIC_KEY or JWT_JWKS_URL must be set in production',
      ]),
    );
  });

  it.each<[string, Environment]>([
    ['with blanks around it', { NODE_ENV: ' production\n' }],
    ['from a file', { NODE_ENV_FILE: secretFile('production\n') }],
    ['from a file that cannot be read', { NODE_ENV_FILE: '/nowhere/env' }],
  ])('knows production %s', (_name, env) => {
    expect(problemsOf(env)).toContain('CALLBACK_SECRET must be set in production');
  });

  it('takes a full production environment, with defaults meant for it', () => {
    expect(loadConfig(TicketConfig, production)).toMatchObject({ host: '0.0.0.0', shutdownDelayMs: 5000 });
  });

  it('lets somebody run SQLite in production on purpose', () => {
    expect(problemsOf({ ...production, DATABASE_URL: 'sqlite:/data/malote.db' })).toEqual([]);
  });

  it('reads secrets from files', () => {
    const CALLBACK_SECRET_FILE = secretFile('from-a-file\n');

    expect(loadConfig(TicketConfig, { CALLBACK_SECRET_FILE })).toMatchObject({
      callbackSecret: 'from-a-file',
    });
    expect(problemsOf({ CALLBACK_SECRET: 'x', CALLBACK_SECRET_FILE })).toEqual([
      'CALLBACK_SECRET and CALLBACK_SECRET_FILE are both set; keep one',
    ]);
    expect(problemsOf({ CALLBACK_SECRET_FILE: '/nowhere/secret' })).toEqual([
      'CALLBACK_SECRET (CALLBACK_SECRET_FILE) names a file that cannot be read: ENOENT',
    ]);
    expect(problemsOf({ CALLBACK_SECRET_FILE: secretFile(' \n') })).toHaveLength(1);
  });

  it.each([
    [
      'a private key',
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
    ],
    [
      'a short RSA key',
      generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ type: 'spki', format: 'pem' }),
    ],
    [
      'another curve',
      generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ type: 'spki', format: 'pem' }),
    ],
    ['no key at all', 'secret'],
  ])('refuses %s as the key for tokens', (_name, pem) => {
    expect(problemsOf({ JWT_PUBLIC_KEY: String(pem) })).toEqual([
      expect.stringMatching(/^JWT_PUBLIC_KEY must be/),
    ]);
  });

  it('refuses two sources of keys, plain http for keys, and a delay longer than the time-out', () => {
    const problems = problemsOf({
      ...production,
      JWT_JWKS_URL: 'http://login.example.com/jwks',
      SHUTDOWN_DELAY_MS: '30s',
    });

    expect(problems).toHaveLength(3);
  });

  it.each([
    ['true', true],
    ['false', false],
    ['10.0.0.0/8, 127.0.0.1', ['10.0.0.0/8', '127.0.0.1']],
    ['fd00::/8,::1', ['fd00::/8', '::1']],
  ])('understands TRUST_PROXY=%s', (TRUST_PROXY, expected) => {
    expect(loadConfig(TicketConfig, { TRUST_PROXY }).trustedProxies).toEqual(expected);
  });

  it.each([
    'yes',
    'True',
    'loopback',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '10.0.0.0/8/8',
    '10.0.0',
    '-1',
    '1.5',
    ',',
  ])('refuses TRUST_PROXY=%s', (TRUST_PROXY) => {
    expect(problemsOf({ TRUST_PROXY })).toEqual([expect.stringMatching(/^TRUST_PROXY must be true, false/)]);
  });

  it.each([
    ['SHUTDOWN_TIMEOUT_MS', '2147483648'],
    ['SHUTDOWN_DELAY_MS', '999999999999h'],
    ['LEASE', '600h'],
  ])('refuses a timer that cannot be set: %s=%s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([`${name} must not be longer than 2147483647 ms`]);
  });

  it('names TRUST_PROXY once when it cannot be read', () => {
    expect(problemsOf({ TRUST_PROXY: 'true', TRUST_PROXY_FILE: '/x' })).toHaveLength(1);
  });

  it('takes the longest timer there is', () => {
    expect(loadConfig(TicketConfig, { SHUTDOWN_TIMEOUT_MS: '2147483647' }).shutdownTimeoutMs).toBe(
      2_147_483_647,
    );
  });

  it('refuses one port for two listeners, unless the system picks them', () => {
    expect(problemsOf({ METRICS_PORT: '3002' })).toEqual(['METRICS_PORT must differ from PORT']);
    expect(problemsOf({ PORT: '0', METRICS_PORT: '0' })).toEqual([]);
  });

  it('counts hops when TRUST_PROXY is a number', () => {
    const trusted = loadConfig(TicketConfig, { TRUST_PROXY: '1' }).trustedProxies;

    expect(typeof trusted === 'function' && [trusted('10.0.0.1', 0), trusted('10.0.0.2', 1)]).toEqual([
      true,
      false,
    ]);
  });
});
