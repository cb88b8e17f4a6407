import { PersistenceModule } from '@malote/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import type { CounterpartyApiConfig } from './counterparty-api.config.ts';

@Module({})
export class AppModule {
  static register(config: CounterpartyApiConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [PersistenceModule.forRoot({ databaseUrl: config.databaseUrl, entities: [] })],
    };
  }
}
