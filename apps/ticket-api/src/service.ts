import type { ServiceDefinition } from '@malote/service-kit';
import { AppModule } from './app.module.ts';
import { TicketApiConfig } from './ticket-api.config.ts';

export const service: ServiceDefinition<TicketApiConfig> = {
  name: 'ticket-api',
  description: 'Takes in shipment tickets, callbacks of the gateway and functional ACKs.',
  configClass: TicketApiConfig,
  module: (config) => AppModule.register(config),
};
