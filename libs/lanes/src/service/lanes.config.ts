import { DEVELOPMENT_SIGNING_SECRET, type HttpDeliveryOptions, isWebhookSecret } from '@malote/http-delivery';
import { Env, ServiceConfig } from '@malote/service-kit';
import { ArrayNotEmpty, IsInt, IsString, Max, Min } from 'class-validator';
import { BUDGET_DEFAULTS, type BudgetLimits } from '../engine/budget.ts';
import { LANE_DEFAULTS, type LaneSettings } from '../engine/lane-settings.ts';
import { CUT_OFF_MS } from '../engine/lane-worker.ts';
import { LaneVariables } from './lane-variables.ts';

const MEBIBYTE = 1024 * 1024;

/** What a service that works lanes off reads from its environment, beside what every service reads. */
export class LanesConfig extends ServiceConfig {
  /** Settings of lanes, by what follows `OUTBOX_`; see `LaneVariables`. */
  @Env('OUTBOX_', { as: 'group' })
  readonly laneTexts!: Readonly<Record<string, string>>;

  /** Rows in hand over all lanes and targets of the process. */
  @Env('OUTBOX_BUDGET_ROWS', { as: 'integer', default: String(BUDGET_DEFAULTS.rows) })
  @IsInt()
  @Min(1)
  readonly outboxBudgetRows!: number;

  @Env('OUTBOX_BUDGET_MEGABYTES', { as: 'integer', default: String(BUDGET_DEFAULTS.bytes / MEBIBYTE) })
  @IsInt()
  @Min(1)
  @Max(4096)
  readonly outboxBudgetMegabytes!: number;

  @Env('OUTBOX_RETENTION_DAYS', { as: 'integer', default: '90' })
  @IsInt()
  @Min(1)
  readonly outboxRetentionDays!: number;

  /** One secret, or two while they rotate; deliveries carry a signature of each. */
  @Env('OUTBOX_SIGNING_SECRETS', { as: 'list', development: DEVELOPMENT_SIGNING_SECRET })
  @ArrayNotEmpty()
  readonly outboxSigningSecrets!: readonly string[];

  @Env('OUTBOX_ALLOWED_PRIVATE_HOSTS', { as: 'list', development: '127.0.0.1,localhost', production: '' })
  @IsString({ each: true })
  readonly outboxAllowedPrivateHosts!: readonly string[];

  get laneVariables(): LaneVariables {
    return new LaneVariables(this.laneTexts);
  }

  private get secretProblems(): string[] {
    // Undefined when it could not be read, which is a problem of its own.
    const secrets = this.outboxSigningSecrets as readonly string[] | undefined;
    if ((secrets ?? []).every(isWebhookSecret)) return [];
    return ['OUTBOX_SIGNING_SECRETS must be secrets, each whsec_ followed by 24 to 64 bytes in base64'];
  }

  laneSettings(lane: string): LaneSettings {
    return this.laneVariables.settingsOf(lane);
  }

  get budget(): BudgetLimits {
    return { rows: this.outboxBudgetRows, bytes: this.outboxBudgetMegabytes * MEBIBYTE };
  }

  /** Lanes drain from the signal on; what is cut off then must still be handed back in time. */
  get drainMs(): number {
    return Math.max(0, this.shutdownTimeoutMs * 0.8 - CUT_OFF_MS);
  }

  get httpDelivery(): HttpDeliveryOptions {
    return {
      allowedPrivateHosts: this.outboxAllowedPrivateHosts,
      timeoutMs: LANE_DEFAULTS.requestTimeoutMs,
    };
  }

  override problems(): string[] {
    return [...super.problems(), ...this.laneVariables.problems(), ...this.secretProblems];
  }
}
