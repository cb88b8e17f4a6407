import type { ServiceDefinition } from '@malote/service-kit';
import { AppModule } from './app.module.ts';
import { WhatsappNfseBotConfig } from './whatsapp-nfse-bot.config.ts';

export const service: ServiceDefinition<WhatsappNfseBotConfig> = {
  name: 'whatsapp-nfse-bot',
  description: 'Issues service invoices in a WhatsApp conversation.',
  configClass: WhatsappNfseBotConfig,
  module: (config) => AppModule.register(config),
};
