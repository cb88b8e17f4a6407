import { LanesConfig } from '@malote/lanes';
import { Env } from '@malote/service-kit';
import {
  DEVELOPMENT_GATEWAY_URL,
  GatewayAddresses,
  gatewayProblems,
  gatewaySecretProblems,
  GatewaySecrets,
} from '@malote/tickets';

export class OutboxDispatcherConfig extends LanesConfig {
  @Env('PORT', { as: 'integer', default: '3003' })
  declare readonly port: number;

  @Env('GATEWAY_URL', { development: DEVELOPMENT_GATEWAY_URL })
  readonly gatewayUrl!: string;

  /** By TargetApplicationCode. */
  @Env('GATEWAY_URL_', { as: 'group' })
  readonly gatewayUrlOf!: Readonly<Record<string, string>>;

  /** By TargetApplicationCode, where it has an address of its own; all others share `OUTBOX_SIGNING_SECRETS`. */
  @Env('GATEWAY_SIGNING_SECRETS_', { as: 'group' })
  readonly gatewaySigningSecretsOf!: Readonly<Record<string, string>>;

  get gatewayAddresses(): GatewayAddresses {
    return new GatewayAddresses(this.gatewayUrl, this.gatewayUrlOf);
  }

  get gatewaySecrets(): GatewaySecrets {
    return new GatewaySecrets(this.gatewayAddresses, this.outboxSigningSecrets, this.gatewaySigningSecretsOf);
  }

  override problems(): string[] {
    return [
      ...super.problems(),
      ...gatewayProblems(this.gatewayUrl, this.gatewayUrlOf),
      ...gatewaySecretProblems(this.gatewaySigningSecretsOf, this.gatewayUrl, this.gatewayUrlOf),
    ];
  }
}
