import {
  CounterpartyAddressEntity,
  CounterpartyEntity,
  CounterpartyFiscalReferenceEntity,
} from '@malote/counterparties';
import { LANE_ENTITIES, LanesModule } from '@malote/lanes';
import { PersistenceModule } from '@malote/persistence';
import { gatewaySend, TICKET_ENTITIES, TICKET_LANES } from '@malote/tickets';
import { type DynamicModule, Module } from '@nestjs/common';
import { addressOrigin } from './operations/operated-lanes.ts';
import { OperationsModule } from './operations/operations.module.ts';
import type { OutboxDispatcherConfig } from './outbox-dispatcher.config.ts';
import { TicketsModule } from './tickets/tickets.module.ts';
import { TraceModule } from './trace/trace.module.ts';

const ENTITIES = [
  ...LANE_ENTITIES,
  ...TICKET_ENTITIES,
  CounterpartyEntity,
  CounterpartyAddressEntity,
  CounterpartyFiscalReferenceEntity,
];

@Module({})
export class AppModule {
  static register(config: OutboxDispatcherConfig): DynamicModule {
    const { gatewayAddresses, gatewaySecrets } = config;
    return {
      module: AppModule,
      imports: [
        PersistenceModule.forRoot({ ...config.persistence, entities: ENTITIES }),
        LanesModule.forRoot(config),
        TicketsModule.register(gatewayAddresses, gatewaySecrets),
        OperationsModule.forLanes(TICKET_LANES, {
          originOf: (lane, target) =>
            lane === gatewaySend
              ? new URL(gatewayAddresses.tickets(target)).origin
              : addressOrigin(lane, target),
        }),
        TraceModule.forRetention(config.outboxRetentionDays),
      ],
    };
  }
}
