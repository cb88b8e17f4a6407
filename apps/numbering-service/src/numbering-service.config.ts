import { Env, ServiceConfig } from '@malote/service-kit';

export class NumberingServiceConfig extends ServiceConfig {
  @Env('PORT', { as: 'integer', default: '3005' })
  declare readonly port: number;
}
