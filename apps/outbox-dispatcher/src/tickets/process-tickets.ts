import {
  type LaneHandler,
  type LaneMessage,
  type OrderedMessage,
  Outbox,
  type Settlement,
} from '@malote/lanes';
import { DELIVERED, type Outcome, refusal } from '@malote/retry-policy';
import { asDate, type Tx, UnitOfWork, varchar } from '@malote/persistence';
import {
  contentProblem,
  documentOrderKey,
  GatewayAddresses,
  gatewaySend,
  makeDue,
  ticketProcessing,
  ticketReturn,
  ticketReturnKey,
} from '@malote/tickets';
import { Injectable } from '@nestjs/common';
import { ticketKeyOf } from './ticket-row.ts';

/** Checks a ticket; what passes is returned to the gateway, sent to it, and lets the next phase of its document go on. */
@Injectable()
export class ProcessTickets implements LaneHandler {
  readonly lane = ticketProcessing;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly gateway: GatewayAddresses,
  ) {}

  deliver(message: LaneMessage): Promise<Outcome> {
    const problem = contentProblem(ticketKeyOf(message), String(message.row.RawPayloadJson));
    return Promise.resolve(problem === null ? DELIVERED : refusal(problem));
  }

  async onSettled(tx: Tx, settlements: readonly Settlement[]): Promise<void> {
    const processed = processedOf(settlements);
    if (processed.length > 0) await this.enqueueReturns(tx, processed);
  }

  async afterSettled(settlements: readonly Settlement[]): Promise<void> {
    const ids = processedOf(settlements).map(({ id }) => id);
    if (ids.length === 0) return;
    for (const lane of [gatewaySend, ticketProcessing]) {
      await this.uow.run(async (tx) => {
        if ((await makeDue(tx, lane, ids)) > 0) this.outbox.wakeAfter(tx);
      });
    }
  }

  /** Once per ticket, whatever happens: the message key is unique. */
  private async enqueueReturns(tx: Tx, processed: readonly LaneMessage[]): Promise<void> {
    const times = await processedTimes(tx, processed);
    const returns = processed.map((message) => this.returnOf(message, times.get(message.id)));
    await this.outbox.enqueueAll(tx, ticketReturn, returns);
  }

  private returnOf(message: LaneMessage, processedAt: Date | null | undefined): OrderedMessage {
    const { row } = message;
    const key = ticketKeyOf(message);
    const result = {
      ...key,
      companyCode: row.CompanyCode,
      branchCode: row.BranchCode,
      destinationCode: row.DestinationCode,
      shipmentEvent: row.ShipmentEvent,
      targetApplicationCode: row.TargetApplicationCode,
      result: 'Processed',
      processedAt: processedAt?.toISOString(),
    };
    return {
      messageKey: ticketReturnKey(key),
      orderKey: documentOrderKey(key),
      targetUrl: this.gateway.ticketReturn(String(row.TargetApplicationCode)),
      payload: JSON.stringify(result),
      traceParent: message.traceParent ?? undefined,
      columns: {
        BusinessEntity: varchar(key.businessEntity, 100),
        BusinessDocId: varchar(key.businessDocId, 100),
        PhaseCode: key.phaseCode,
      },
    };
  }
}

function processedOf(settlements: readonly Settlement[]): LaneMessage[] {
  return settlements.filter(({ verdict }) => verdict === 'done').map(({ message }) => message);
}

async function processedTimes(tx: Tx, messages: readonly LaneMessage[]): Promise<Map<string, Date | null>> {
  const rows = await tx.query<{ Id: unknown; ProcessedAt: unknown }>(
    `SELECT t.Id AS Id, t.ProcessedAt AS ProcessedAt FROM ${tx.dialect.jsonRows('ids', { Id: 'bigint' })} AS i ` +
      `JOIN ${tx.dialect.table(ticketProcessing.table)} AS t ON t.Id = i.Id`,
    { ids: JSON.stringify(messages.map(({ id }) => ({ Id: id }))) },
  );
  return new Map(rows.map(({ Id, ProcessedAt }) => [String(Id), asDate(ProcessedAt)]));
}
