import {
  HttpSender,
  type LaneHandler,
  type LaneMessage,
  type Outcome,
  Outbox,
  type Settlement,
} from '@malote/outbox';
import { UnitOfWork } from '@malote/persistence';
import { GatewayAddresses, gatewaySend, makeDue, ticketSendKey } from '@malote/tickets';
import { Injectable } from '@nestjs/common';
import { ticketKeyOf } from './ticket-row.ts';

/** Sends processed tickets to the gateway as they were received. */
@Injectable()
export class SendTickets implements LaneHandler {
  readonly lane = gatewaySend;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly sender: HttpSender,
    private readonly outbox: Outbox,
    private readonly gateway: GatewayAddresses,
  ) {}

  deliver(message: LaneMessage, signal: AbortSignal): Promise<Outcome> {
    const address = this.gateway.tickets(message.target);
    const keyed = { ...message, messageKey: ticketSendKey(ticketKeyOf(message)) };
    return this.sender.post(keyed, address, String(message.row.RawPayloadJson), signal);
  }

  /** Applications behind one address fail together. */
  targetGroup(applicationCode: string): string {
    return new URL(this.gateway.tickets(applicationCode)).origin;
  }

  async afterSettled(settlements: readonly Settlement[]): Promise<void> {
    const sent = settlements.filter(({ verdict }) => verdict === 'done').map(({ message }) => message.id);
    if (sent.length === 0) return;
    await this.uow.run(async (tx) => {
      if ((await makeDue(tx, gatewaySend, sent)) > 0) this.outbox.madeDue(tx, gatewaySend);
    });
  }
}
