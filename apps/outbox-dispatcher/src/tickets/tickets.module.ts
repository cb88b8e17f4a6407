import { WebhookDelivery } from '@malote/http-delivery';
import { LaneRunner } from '@malote/lanes';
import { functionalAck, GatewayAddresses, GatewaySecrets, TICKET_LANES, ticketReturn } from '@malote/tickets';
import { type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import { deliverOutbox } from './deliver-outbox.ts';
import { ProcessTickets } from './process-tickets.ts';
import { SendTickets } from './send-tickets.ts';

/** The four lanes of tickets. */
@Module({})
export class TicketsModule implements OnModuleInit {
  constructor(
    private readonly lanes: LaneRunner,
    private readonly webhooks: WebhookDelivery,
    private readonly secrets: GatewaySecrets,
    private readonly processTickets: ProcessTickets,
    private readonly sendTickets: SendTickets,
  ) {}

  static register(addresses: GatewayAddresses, secrets: GatewaySecrets): DynamicModule {
    return {
      module: TicketsModule,
      providers: [
        ProcessTickets,
        SendTickets,
        { provide: GatewayAddresses, useValue: addresses },
        { provide: GatewaySecrets, useValue: secrets },
      ],
    };
  }

  onModuleInit(): void {
    this.lanes.addAll(TICKET_LANES, [
      this.processTickets,
      this.sendTickets,
      deliverOutbox(functionalAck, this.webhooks, this.secrets),
      deliverOutbox(ticketReturn, this.webhooks, this.secrets),
    ]);
  }
}
