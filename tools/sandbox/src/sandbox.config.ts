import { DEVELOPMENT_CALLBACK_SECRET, DEVELOPMENT_SIGNING_SECRET } from '@malote/http-delivery';
import { Env, type ServiceConfig } from '@malote/service-kit';
import { ArrayNotEmpty, IsIn, IsInt, IsString, IsUrl, Matches, Max, Min } from 'class-validator';

const SECRET = /^(whsec_)?[A-Za-z0-9+/=]{32,88}$/;

/** Everything the sandbox reads from its environment. */
export class SandboxConfig {
  @Env('NODE_ENV', { default: 'development' })
  @IsIn(['development', 'test'], {
    message: 'nodeEnv must be development or test; the sandbox is never deployed',
  })
  readonly nodeEnv!: string;

  @Env('HOST', { default: '127.0.0.1' })
  @IsString()
  readonly host!: string;

  @Env('PORT', { as: 'integer', default: '3900' })
  @IsInt()
  @Min(0)
  @Max(65535)
  readonly port!: number;

  @Env('LOG_LEVEL', { default: 'info' })
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  readonly logLevel!: ServiceConfig['logLevel'];

  /** What deliveries to the gateway are signed with; the services read the same variable. */
  @Env('OUTBOX_SIGNING_SECRETS', { as: 'list', default: DEVELOPMENT_SIGNING_SECRET })
  @ArrayNotEmpty()
  @Matches(SECRET, { each: true })
  readonly outboxSigningSecrets!: readonly string[];

  /** What the gateway signs its callbacks with. */
  @Env('GATEWAY_CALLBACK_SECRET', { default: DEVELOPMENT_CALLBACK_SECRET })
  @Matches(SECRET)
  readonly gatewayCallbackSecret!: string;

  @Env('CALLBACK_URL', { default: 'http://127.0.0.1:3002/api/tickets/callback' })
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  readonly callbackUrl!: string;
}
