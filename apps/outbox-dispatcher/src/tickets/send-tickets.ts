import { WebhookDelivery } from '@malote/http-delivery';
import { type LaneHandler, type LaneMessage, type Lease, Outbox, type Settlement } from '@malote/lanes';
import { type Outcome } from '@malote/retry-policy';
import { UnitOfWork } from '@malote/persistence';
import { GatewayAddresses, GatewaySecrets, gatewaySend, makeDue, ticketSendKey } from '@malote/tickets';
import { Injectable } from '@nestjs/common';
import { ticketKeyOf } from './ticket-row.ts';

/** Sends processed tickets to the gateway as they were received. */
@Injectable()
export class SendTickets implements LaneHandler {
  readonly lane = gatewaySend;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly webhooks: WebhookDelivery,
    private readonly outbox: Outbox,
    private readonly gateway: GatewayAddresses,
    private readonly secrets: GatewaySecrets,
  ) {}

  deliver(message: LaneMessage, lease: Lease): Promise<Outcome> {
    const { traceParent, target, row } = message;
    const messageKey = ticketSendKey(ticketKeyOf(message));
    const url = this.gateway.tickets(target);
    const body = String(row.RawPayloadJson);
    return this.webhooks.post({ messageKey, traceParent, url, body, secrets: this.secrets.of(url) }, lease);
  }

  /** Applications behind one address fail together. */
  targetGroup(applicationCode: string): string {
    return new URL(this.gateway.tickets(applicationCode)).origin;
  }

  async afterSettled(settlements: readonly Settlement[]): Promise<void> {
    const sent = settlements.filter(({ verdict }) => verdict === 'done').map(({ message }) => message.id);
    if (sent.length === 0) return;
    await this.uow.run(async (tx) => {
      if ((await makeDue(tx, gatewaySend, sent)) > 0) this.outbox.wakeAfter(tx);
    });
  }
}
