import { PersistenceModule } from '@malote/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import type { WhatsappNfseBotConfig } from './whatsapp-nfse-bot.config.ts';

@Module({})
export class AppModule {
  static register(config: WhatsappNfseBotConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [PersistenceModule.forRoot({ ...config.persistence, entities: [] })],
    };
  }
}
