import { AppError } from '@malote/app-error';
import { parseDatabaseUrl, type PersistenceOptions } from '@malote/persistence';
import { IsIn, IsInt, IsOptional, IsString, IsUrl, Max, Min } from 'class-validator';
import { parsePublicKey } from '../auth/public-key.ts';
import { splitList } from './convert.ts';
import { Env } from './env.decorator.ts';
import { type Environment } from './load-config.ts';
import { trustProxyProblems } from './trust-proxy.ts';

export type NodeEnv = 'development' | 'test' | 'production';
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

const LOG_LEVELS: readonly LogLevel[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const PLAIN_URL = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };

/** What every service reads from its environment. Each app extends it and gives `PORT` its own default. */
export class ServiceConfig {
  @Env('NODE_ENV', { default: 'development' })
  @IsIn(['development', 'test', 'production'])
  readonly nodeEnv!: NodeEnv;

  @Env('DATABASE_URL', { development: 'sqlite:.malote/malote.db' })
  @IsString()
  readonly databaseUrl!: string;

  @Env('HOST', { development: '127.0.0.1', production: '0.0.0.0' })
  @IsString()
  readonly host!: string;

  @Env('PORT', { as: 'integer' })
  @IsInt()
  @Min(0)
  @Max(65535)
  readonly port!: number;

  /** When set, `/metrics` moves from the service's port to a listener of its own. */
  @Env('METRICS_PORT', { as: 'integer' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(65535)
  readonly metricsPort?: number;

  @Env('JWT_PUBLIC_KEY')
  @IsOptional()
  @IsString()
  readonly jwtPublicKey?: string;

  @Env('JWT_JWKS_URL')
  @IsOptional()
  @IsUrl(PLAIN_URL)
  readonly jwtJwksUrl?: string;

  @Env('JWT_ISSUER', { development: 'urn:malote:development' })
  @IsString()
  readonly jwtIssuer!: string;

  @Env('JWT_AUDIENCE', { development: 'malote' })
  @IsString()
  readonly jwtAudience!: string;

  /** The key pair that development tokens are signed with; made on first use, never used in production. */
  @Env('DEV_KEY_PATH', { default: '.malote/dev-key.pem' })
  @IsString()
  readonly devKeyPath!: string;

  @Env('LOG_LEVEL', { default: 'info' })
  @IsIn(LOG_LEVELS)
  readonly logLevel!: LogLevel;

  @Env('BODY_LIMIT_BYTES', { as: 'integer', default: '1048576' })
  @IsInt()
  @Min(1024)
  readonly bodyLimitBytes!: number;

  /** How long readiness is red before the service stops listening; longer than the balancer's probe period. */
  @Env('SHUTDOWN_DELAY_MS', { as: 'duration', development: '0', production: '5000' })
  @IsInt()
  readonly shutdownDelayMs!: number;

  /** Everything that still runs this long after the signal is cut off. */
  @Env('SHUTDOWN_TIMEOUT_MS', { as: 'duration', default: '25000' })
  @IsInt()
  @Min(1)
  readonly shutdownTimeoutMs!: number;

  /** `false`, `true`, a number of hops, or a list of addresses and CIDR ranges whose `X-Forwarded-*` is believed. */
  @Env('TRUST_PROXY', { default: 'false' })
  @IsString()
  readonly trustProxy!: string;

  get isProduction(): boolean {
    return this.nodeEnv === 'production';
  }

  get persistence(): Pick<PersistenceOptions, 'databaseUrl' | 'checksNesting' | 'closeWithinMs'> {
    const { databaseUrl, shutdownTimeoutMs: closeWithinMs } = this;
    return { databaseUrl, checksNesting: !this.isProduction, closeWithinMs };
  }

  get trustedProxies(): boolean | string[] | ((address: string, hop: number) => boolean) {
    if (this.trustProxy === 'true') return true;
    if (this.trustProxy === 'false') return false;
    if (!/^\d+$/.test(this.trustProxy)) return [...splitList(this.trustProxy)];
    const hops = Number(this.trustProxy);
    return (_address, hop) => hop < hops;
  }

  problems(): string[] {
    const problems = [...databaseProblems(this.databaseUrl), ...trustProxyProblems(this.trustProxy)];
    if (this.jwtPublicKey && this.jwtJwksUrl) {
      problems.push('JWT_PUBLIC_KEY and JWT_JWKS_URL are both set; keep one');
    }
    if (this.jwtPublicKey && !parsePublicKey(this.jwtPublicKey)) {
      problems.push('JWT_PUBLIC_KEY must be a PEM public key: RSA of 2048 bits or more, or EC P-256');
    }
    if (this.isProduction && !this.jwtPublicKey && !this.jwtJwksUrl) {
      problems.push('JWT_PUBLIC_KEY or JWT_JWKS_URL must be set in production');
    }
    if (this.isProduction && this.jwtJwksUrl?.startsWith('http:')) {
      problems.push('JWT_JWKS_URL must use https in production');
    }
    if (this.metricsPort && this.metricsPort === this.port) {
      problems.push('METRICS_PORT must differ from PORT');
    }
    if (this.shutdownDelayMs >= this.shutdownTimeoutMs) {
      problems.push('SHUTDOWN_TIMEOUT_MS must be longer than SHUTDOWN_DELAY_MS');
    }
    return problems;
  }
}

function databaseProblems(url: string | undefined): string[] {
  try {
    if (url !== undefined) parseDatabaseUrl(url);
    return [];
  } catch (error) {
    return [error instanceof AppError ? error.message : 'DATABASE_URL is not usable'];
  }
}

/** The one place where the process environment is read. */
export function processEnvironment(): Environment {
  return process.env;
}
