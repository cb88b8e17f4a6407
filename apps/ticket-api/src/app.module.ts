import { WebhookVerifier } from '@malote/http-delivery';
import { Outbox } from '@malote/lanes';
import { PersistenceModule } from '@malote/persistence';
import { FunctionalAckOutboxEntity, GatewayAddresses, TicketInterfaceEntity } from '@malote/tickets';
import { type DynamicModule, Module } from '@nestjs/common';
import { CallbackRepository } from './callbacks/callback.repository.ts';
import { CallbacksController } from './callbacks/callbacks.controller.ts';
import { CallbacksService } from './callbacks/callbacks.service.ts';
import { FunctionalAcksController } from './functional-acks/functional-acks.controller.ts';
import { FunctionalAcksService } from './functional-acks/functional-acks.service.ts';
import { TicketRepository } from './tickets/ticket.repository.ts';
import { TicketsController } from './tickets/tickets.controller.ts';
import { TicketsService } from './tickets/tickets.service.ts';
import type { TicketApiConfig } from './ticket-api.config.ts';

@Module({})
export class AppModule {
  static register(config: TicketApiConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PersistenceModule.forRoot({
          ...config.persistence,
          entities: [TicketInterfaceEntity, FunctionalAckOutboxEntity],
        }),
      ],
      controllers: [CallbacksController, TicketsController, FunctionalAcksController],
      providers: [
        TicketRepository,
        TicketsService,
        CallbackRepository,
        CallbacksService,
        FunctionalAcksService,
        { provide: GatewayAddresses, useValue: config.gatewayAddresses },
        { provide: WebhookVerifier, useValue: new WebhookVerifier(config.gatewayCallbackSecrets) },
        Outbox,
      ],
    };
  }
}
