import { Env, ServiceConfig } from '@malote/service-kit';
import { ArrayMaxSize, ArrayNotEmpty, IsInt, IsString, Matches, Max, Min } from 'class-validator';

const DEVELOPMENT_SESSION_KEY = 'ZGV2ZWxvcG1lbnQtb25seS1uZXZlci1pbi1wcm9kdWN0aW9uIQ==';
const MIN_KEY_BYTES = 32;
const MIN_PRODUCTION_COST = 12;
const MINUTE_MS = 60_000;

export class NumberingServiceConfig extends ServiceConfig {
  @Env('PORT', { as: 'integer', default: '3005' })
  declare readonly port: number;

  /** Signs the tokens of clerks. One secret, or two while they rotate: the first signs, all verify. */
  @Env('SESSION_KEY', { as: 'list', development: DEVELOPMENT_SESSION_KEY })
  @ArrayNotEmpty()
  @ArrayMaxSize(2)
  @Matches(/^[A-Za-z0-9+/]{43,}={0,2}$/, {
    each: true,
    message: `sessionKeys must be ${MIN_KEY_BYTES} bytes or more in base64`,
  })
  readonly sessionKeys!: readonly string[];

  /** A session that is not used for this long ends. */
  @Env('SESSION_IDLE', { as: 'duration', default: '1h' })
  @IsInt()
  @Min(MINUTE_MS)
  readonly sessionIdleMs!: number;

  /** However much it is used, a session ends after this long. */
  @Env('SESSION_MAX', { as: 'duration', default: '12h' })
  @IsInt()
  @Min(MINUTE_MS)
  readonly sessionMaxMs!: number;

  /** Whose register it is; stands above it when it is printed. */
  @Env('OFFICE_NAME', { default: 'Numeração de documentos' })
  @IsString()
  readonly officeName!: string;

  /** Each step doubles the time a password takes to check. */
  @Env('BCRYPT_COST', { as: 'integer', default: '12' })
  @IsInt()
  @Min(4)
  @Max(15)
  readonly bcryptCost!: number;

  /** Words everybody here would try first; no password may contain them. */
  @Env('PASSWORD_CONTEXT_WORDS', { as: 'list', default: 'procuradoria,itajai,pgm,malote' })
  @IsString({ each: true })
  readonly passwordContextWords!: readonly string[];

  @Env('TEMPORARY_PASSWORD_TTL', { as: 'duration', default: '72h' })
  @IsInt()
  @Min(MINUTE_MS)
  readonly temporaryPasswordTtlMs!: number;

  override problems(): string[] {
    const problems = super.problems();
    if (this.sessionMaxMs < this.sessionIdleMs) {
      problems.push('SESSION_MAX must not be shorter than SESSION_IDLE');
    }
    if (this.isProduction && this.bcryptCost < MIN_PRODUCTION_COST) {
      problems.push(`BCRYPT_COST must be ${MIN_PRODUCTION_COST} or more in production`);
    }
    if (this.isProduction && this.hasDevelopmentKey) {
      problems.push('SESSION_KEY must not be the development key in production');
    }
    return problems;
  }

  private get hasDevelopmentKey(): boolean {
    const given = this.sessionKeys as readonly string[] | undefined;
    return given?.includes(DEVELOPMENT_SESSION_KEY) ?? false;
  }
}
