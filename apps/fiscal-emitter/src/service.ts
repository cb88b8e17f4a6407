import type { ServiceDefinition } from '@malote/service-kit';
import { AppModule } from './app.module.ts';
import { FiscalEmitterConfig } from './fiscal-emitter.config.ts';

export const service: ServiceDefinition<FiscalEmitterConfig> = {
  name: 'fiscal-emitter',
  description: 'Turns business documents into Brazilian fiscal documents.',
  configClass: FiscalEmitterConfig,
  module: (config) => AppModule.register(config),
};
