import type { ServiceDefinition } from '@malote/service-kit';
import { AppModule } from './app.module.ts';
import { CounterpartyApiConfig } from './counterparty-api.config.ts';

export const service: ServiceDefinition<CounterpartyApiConfig> = {
  name: 'counterparty-api',
  description: 'Takes in counterparties with their addresses and fiscal references.',
  configClass: CounterpartyApiConfig,
  module: (config) => AppModule.register(config),
};
