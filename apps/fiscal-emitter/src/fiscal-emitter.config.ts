import { Env, ServiceConfig } from '@malote/service-kit';

export class FiscalEmitterConfig extends ServiceConfig {
  @Env('PORT', { as: 'integer', default: '3004' })
  declare readonly port: number;
}
