import { LANE_ENTITIES, OutboxModule } from '@malote/outbox';
import { PersistenceModule } from '@malote/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import type { OutboxDispatcherConfig } from './outbox-dispatcher.config.ts';

@Module({})
export class AppModule {
  static register(config: OutboxDispatcherConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PersistenceModule.forRoot({ databaseUrl: config.databaseUrl, entities: LANE_ENTITIES }),
        OutboxModule.forRoot(config),
      ],
    };
  }
}
