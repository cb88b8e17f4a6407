import { OUTBOX_RETRY } from '@malote/retry-policy';
import { Env, ServiceConfig } from '@malote/service-kit';
import { ArrayNotEmpty, IsInt, IsString, Matches, Max, Min } from 'class-validator';
import { type HttpSenderOptions } from './http-sender.ts';
import { CUT_OFF_MS, LANE_DEFAULTS, type LaneSettings } from './lane-worker.ts';

export const DEVELOPMENT_SIGNING_SECRET = 'whsec_bWFsb3RlLWRldmVsb3BtZW50LXNlY3JldC1vbmx5';
/** The gateway signs its callbacks with it. */
export const DEVELOPMENT_CALLBACK_SECRET = 'whsec_bWFsb3RlLWRldmVsb3BtZW50LWNhbGxiYWNrLW9ubHk=';

/** What a service that works lanes off reads from its environment, beside what every service reads. */
export class OutboxConfig extends ServiceConfig {
  @Env('OUTBOX_LEASE_SECONDS', { as: 'integer', default: '15' })
  @IsInt()
  @Min(1)
  readonly outboxLeaseSeconds!: number;

  @Env('OUTBOX_MAX_ATTEMPTS', { as: 'integer', default: '5' })
  @IsInt()
  @Min(1)
  readonly outboxMaxAttempts!: number;

  /** The longest wait after a first failure; later ones are four times as long each, and an hour at most. */
  @Env('OUTBOX_RETRY_BASE', { as: 'duration', default: '5s' })
  @IsInt()
  @Min(1)
  readonly outboxRetryBaseMs!: number;

  /** Rows per claim; a claim locks them in one statement, and SQL Server escalates near five thousand locks. */
  @Env('OUTBOX_BATCH', { as: 'integer', default: '100' })
  @IsInt()
  @Min(1)
  @Max(1000)
  readonly outboxBatch!: number;

  @Env('OUTBOX_CONCURRENCY', { as: 'integer', default: '32' })
  @IsInt()
  @Min(1)
  readonly outboxConcurrency!: number;

  @Env('OUTBOX_TIMEOUT_SECONDS', { as: 'integer', default: '15' })
  @IsInt()
  @Min(1)
  readonly outboxTimeoutSeconds!: number;

  @Env('OUTBOX_RETENTION_DAYS', { as: 'integer', default: '90' })
  @IsInt()
  @Min(1)
  readonly outboxRetentionDays!: number;

  /** One secret, or two while they rotate; deliveries carry a signature of each. */
  @Env('OUTBOX_SIGNING_SECRETS', { as: 'list', development: DEVELOPMENT_SIGNING_SECRET })
  @ArrayNotEmpty()
  @Matches(/^whsec_[A-Za-z0-9+/=]{32,88}$/, { each: true })
  readonly outboxSigningSecrets!: readonly string[];

  @Env('OUTBOX_ALLOWED_PRIVATE_HOSTS', { as: 'list', development: '127.0.0.1,localhost', production: '' })
  @IsString({ each: true })
  readonly outboxAllowedPrivateHosts!: readonly string[];

  get laneSettings(): LaneSettings {
    return {
      ...LANE_DEFAULTS,
      leaseMs: this.outboxLeaseSeconds * 1000,
      batch: this.outboxBatch,
      concurrency: this.outboxConcurrency,
      // Lanes drain from the signal on; what is cut off then must still be handed back in time.
      drainMs: Math.max(0, this.shutdownTimeoutMs * 0.8 - CUT_OFF_MS),
      retry: { ...OUTBOX_RETRY, maxAttempts: this.outboxMaxAttempts, baseMs: this.outboxRetryBaseMs },
    };
  }

  get httpSender(): HttpSenderOptions {
    return {
      allowedPrivateHosts: this.outboxAllowedPrivateHosts,
      signingSecrets: this.outboxSigningSecrets,
      timeoutMs: this.outboxTimeoutSeconds * 1000,
    };
  }
}
