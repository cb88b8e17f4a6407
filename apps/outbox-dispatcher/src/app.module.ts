import { LANE_ENTITIES, OutboxModule } from '@malote/outbox';
import { PersistenceModule } from '@malote/persistence';
import { FunctionalAckOutboxEntity, TicketInterfaceEntity, TicketReturnOutboxEntity } from '@malote/tickets';
import { type DynamicModule, Module } from '@nestjs/common';
import type { OutboxDispatcherConfig } from './outbox-dispatcher.config.ts';
import { TicketsModule } from './tickets/tickets.module.ts';

const ENTITIES = [
  ...LANE_ENTITIES,
  TicketInterfaceEntity,
  FunctionalAckOutboxEntity,
  TicketReturnOutboxEntity,
];

@Module({})
export class AppModule {
  static register(config: OutboxDispatcherConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PersistenceModule.forRoot({ databaseUrl: config.databaseUrl, entities: ENTITIES }),
        OutboxModule.forRoot(config),
        TicketsModule.register(config.gatewayAddresses),
      ],
    };
  }
}
