import { Env, ServiceConfig } from '@malote/service-kit';

export class WhatsappNfseBotConfig extends ServiceConfig {
  @Env('PORT', { as: 'integer', default: '3006' })
  declare readonly port: number;
}
