import { OutboxConfig } from '@malote/outbox';
import { Env } from '@malote/service-kit';
import { DEVELOPMENT_GATEWAY_URL, GatewayAddresses, gatewayProblems } from '@malote/tickets';

export class OutboxDispatcherConfig extends OutboxConfig {
  @Env('PORT', { as: 'integer', default: '3003' })
  declare readonly port: number;

  @Env('GATEWAY_URL', { development: DEVELOPMENT_GATEWAY_URL })
  readonly gatewayUrl!: string;

  /** By TargetApplicationCode. */
  @Env('GATEWAY_URL_', { as: 'group' })
  readonly gatewayUrlOf!: Readonly<Record<string, string>>;

  get gatewayAddresses(): GatewayAddresses {
    return new GatewayAddresses(this.gatewayUrl, this.gatewayUrlOf);
  }

  override problems(): string[] {
    return [...super.problems(), ...gatewayProblems(this.gatewayUrl, this.gatewayUrlOf)];
  }
}
