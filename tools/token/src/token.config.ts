import { Env, ServiceConfig } from '@malote/service-kit';

/** What a service reads, so that the token is made for exactly the key, issuer and audience it checks. */
export class TokenConfig extends ServiceConfig {
  @Env('PORT', { as: 'integer', default: '0' })
  declare readonly port: number;

  override problems(): string[] {
    const foreignKey = this.jwtPublicKey ?? this.jwtJwksUrl;
    if (this.isProduction || foreignKey !== undefined) {
      return ['Only services with the development key accept these tokens; ask your issuer for one'];
    }
    return super.problems();
  }
}
