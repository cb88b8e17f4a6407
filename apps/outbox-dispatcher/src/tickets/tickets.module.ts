import { HttpSender, LaneRunner } from '@malote/outbox';
import { functionalAck, GatewayAddresses, ticketReturn } from '@malote/tickets';
import { type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import { deliverOutbox } from './deliver-outbox.ts';
import { ProcessTickets } from './process-tickets.ts';
import { SendTickets } from './send-tickets.ts';

/** The four lanes of tickets. */
@Module({})
export class TicketsModule implements OnModuleInit {
  constructor(
    private readonly lanes: LaneRunner,
    private readonly sender: HttpSender,
    private readonly processTickets: ProcessTickets,
    private readonly sendTickets: SendTickets,
  ) {}

  static register(gateway: GatewayAddresses): DynamicModule {
    return {
      module: TicketsModule,
      providers: [ProcessTickets, SendTickets, { provide: GatewayAddresses, useValue: gateway }],
    };
  }

  onModuleInit(): void {
    this.lanes.add(this.processTickets);
    this.lanes.add(this.sendTickets);
    this.lanes.add(deliverOutbox(functionalAck, this.sender));
    this.lanes.add(deliverOutbox(ticketReturn, this.sender));
  }
}
