import type { ServiceDefinition } from '@malote/service-kit';
import { AppModule } from './app.module.ts';
import { NumberingServiceConfig } from './numbering-service.config.ts';

export const service: ServiceDefinition<NumberingServiceConfig> = {
  name: 'numbering-service',
  description: 'Gives official documents their numbers, without gaps.',
  configClass: NumberingServiceConfig,
  module: (config) => AppModule.register(config),
};
