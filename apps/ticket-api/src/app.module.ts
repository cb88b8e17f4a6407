import { PersistenceModule } from '@malote/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import type { TicketApiConfig } from './ticket-api.config.ts';

@Module({})
export class AppModule {
  static register(config: TicketApiConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [PersistenceModule.forRoot({ databaseUrl: config.databaseUrl, entities: [] })],
    };
  }
}
