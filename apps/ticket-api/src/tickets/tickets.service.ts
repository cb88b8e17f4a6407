import { randomUUID } from 'node:crypto';
import { AppError } from '@malote/app-error';
import { canonicalJson, type JsonValue } from '@malote/idempotency';
import { Outbox } from '@malote/lanes';
import { type Tx, UnitOfWork, varchar } from '@malote/persistence';
import { type Page, pageOf } from '@malote/service-kit';
import { can } from '@malote/state-machine';
import {
  documentOrderKey,
  functionalAck,
  GatewayAddresses,
  TICKET_TRANSITIONS,
  ticketAckKey,
  type TicketInterfaceEntity,
  type TicketStatus,
} from '@malote/tickets';
import { Injectable } from '@nestjs/common';
import { type ReceivedTicket, type StoredTicket, TicketRepository } from './ticket.repository.ts';
import { type TicketDto, toTicketDto } from './ticket.dto.ts';
import type { TicketQuery } from './ticket.query.ts';
import type { TicketReceiptDto } from './ticket-receipt.dto.ts';

@Injectable()
export class TicketsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly tickets: TicketRepository,
    private readonly outbox: Outbox,
    private readonly gateway: GatewayAddresses,
  ) {}

  /** Idempotent by (BusinessEntity, BusinessDocId, PhaseCode). */
  receive(received: ReceivedTicket, now: Date): Promise<TicketReceiptDto> {
    const { businessEntity, businessDocId, phaseCode } = received.ticket;
    return this.uow.run(async (tx) => {
      const { id, inserted } = await this.tickets.insert(tx, received);
      if (inserted) {
        await this.acknowledge(tx, received, now);
        return { id, businessEntity, businessDocId, phaseCode, status: 'Awaiting', outcome: 'created' };
      }
      return this.receiveAgain(tx, await this.tickets.lock(tx, id), received, now);
    });
  }

  async findDocument(businessEntity: string, businessDocId: string): Promise<TicketInterfaceEntity[]> {
    const phases = await this.uow.read((tx) => this.tickets.findPhases(tx, businessEntity, businessDocId));
    if (phases.length > 0) return phases;
    throw new AppError('not-found', 'ticket-unknown', 'There is no ticket of this document');
  }

  list(query: TicketQuery): Promise<Page<TicketDto>> {
    return pageOf<TicketDto>(
      'tickets',
      query,
      ({ id }) => id,
      (after, count) =>
        this.uow.read(async (tx) => (await this.tickets.list(tx, query, after, count)).map(toTicketDto)),
    );
  }

  private async receiveAgain(
    tx: Tx,
    stored: StoredTicket,
    received: ReceivedTicket,
    now: Date,
  ): Promise<TicketReceiptDto> {
    const { Id: id, BusinessEntity: businessEntity, BusinessDocId: businessDocId, Status: status } = stored;
    const receipt = { id, businessEntity, businessDocId, phaseCode: received.ticket.phaseCode };
    if (isSameContent(stored.RawPayloadJson, received.rawPayload)) {
      return { ...receipt, status, outcome: 'unchanged' };
    }
    if (!can(TICKET_TRANSITIONS, status, 'correct')) throw tooLate(id, status);
    if (!(await this.tickets.correct(tx, id, received))) throw tooLate(id, 'Processing');
    await this.acknowledge(tx, received, now, randomUUID());
    return { ...receipt, status: 'Awaiting', outcome: 'updated' };
  }

  private async acknowledge(
    tx: Tx,
    { ticket, traceParent }: ReceivedTicket,
    now: Date,
    correction?: string,
  ): Promise<void> {
    if (!ticket.functionalAckIsRequired) return;
    const { businessEntity, businessDocId, phaseCode, targetApplicationCode } = ticket;
    const ack = {
      version: 3,
      businessEntity,
      businessDocId,
      phaseCode,
      targetApplicationCode,
      status: 'Accepted',
      receivedAt: now.toISOString(),
    };
    await this.outbox.enqueue(tx, functionalAck, {
      messageKey: ticketAckKey(ticket, correction),
      orderKey: documentOrderKey(ticket),
      targetUrl: this.gateway.functionalAck(targetApplicationCode),
      payload: JSON.stringify(ack),
      traceParent,
      columns: { BusinessDocId: varchar(businessDocId, 100) },
    });
  }
}

/** Blanks and the order of names do not make another ticket. */
function isSameContent(stored: string, received: string): boolean {
  return stored === received || canonicalText(stored) === canonicalText(received);
}

/** Other systems write to the table too; what is no JSON is the same as nothing but itself. */
function canonicalText(json: string): string {
  try {
    return canonicalJson(parse(json));
  } catch {
    return json;
  }
}

function parse(json: string): JsonValue {
  return JSON.parse(json) as JsonValue;
}

function tooLate(ticketId: string, status: TicketStatus): AppError {
  const [code, message] =
    status === 'Processing'
      ? (['ticket-being-processed', 'The ticket is being processed; its content cannot change now'] as const)
      : ([
          'ticket-already-processed',
          'The ticket has been processed; its content cannot change any more',
        ] as const);
  return new AppError('conflict', code, message, { details: { ticketId, status } });
}
