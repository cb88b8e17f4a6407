import { DEVELOPMENT_CALLBACK_SECRET } from '@malote/http-delivery';
import { Env, ServiceConfig } from '@malote/service-kit';
import { DEVELOPMENT_GATEWAY_URL, GatewayAddresses, gatewayProblems } from '@malote/tickets';
import { ArrayNotEmpty, Matches } from 'class-validator';

export class TicketApiConfig extends ServiceConfig {
  @Env('PORT', { as: 'integer', default: '3002' })
  declare readonly port: number;

  @Env('GATEWAY_URL', { development: DEVELOPMENT_GATEWAY_URL })
  readonly gatewayUrl!: string;

  /** By TargetApplicationCode. */
  @Env('GATEWAY_URL_', { as: 'group' })
  readonly gatewayUrlOf!: Readonly<Record<string, string>>;

  /** One secret, or two while they rotate. */
  @Env('GATEWAY_CALLBACK_SECRET', { as: 'list', development: DEVELOPMENT_CALLBACK_SECRET })
  @ArrayNotEmpty()
  @Matches(/^(?:whsec_)?[A-Za-z0-9+/]{32,86}={0,2}$/, {
    each: true,
    message: 'gatewayCallbackSecrets must be 24 to 64 bytes in base64, with or without whsec_ before them',
  })
  readonly gatewayCallbackSecrets!: readonly string[];

  get gatewayAddresses(): GatewayAddresses {
    return new GatewayAddresses(this.gatewayUrl, this.gatewayUrlOf);
  }

  override problems(): string[] {
    return [...super.problems(), ...gatewayProblems(this.gatewayUrl, this.gatewayUrlOf)];
  }
}
