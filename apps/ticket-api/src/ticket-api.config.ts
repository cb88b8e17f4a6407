import { Env, ServiceConfig } from '@malote/service-kit';

export class TicketApiConfig extends ServiceConfig {
  @Env('PORT', { as: 'integer', default: '3002' })
  declare readonly port: number;
}
