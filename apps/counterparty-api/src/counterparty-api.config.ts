import { Env, ServiceConfig } from '@malote/service-kit';

export class CounterpartyApiConfig extends ServiceConfig {
  @Env('PORT', { as: 'integer', default: '3001' })
  declare readonly port: number;
}
