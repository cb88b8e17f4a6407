import type { ServiceDefinition } from '@malote/service-kit';
import { AppModule } from './app.module.ts';
import { OutboxDispatcherConfig } from './outbox-dispatcher.config.ts';

export const service: ServiceDefinition<OutboxDispatcherConfig> = {
  name: 'outbox-dispatcher',
  description: 'Delivers what the other services have put into their outboxes.',
  configClass: OutboxDispatcherConfig,
  module: (config) => AppModule.register(config),
};
