import { type Inserted, type SqlParameters, type Tx, varchar } from '@malote/persistence';
import { statesAllowing } from '@malote/state-machine';
import {
  BASIC_PHASE,
  inStates,
  TICKET_TRANSITIONS,
  TicketInterfaceEntity,
  ticketProcessing,
  type TicketStatus,
} from '@malote/tickets';
import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { LISTED } from './ticket.dto.ts';
import { conditionsOf, type TicketQuery } from './ticket.query.ts';
import type { ShipmentTicketDto } from './shipment-ticket.dto.ts';

const TABLE = ticketProcessing.table;
const SELECTED = Object.fromEntries(LISTED.map((name) => [name, true]));
const CORRECTABLE = statesAllowing(TICKET_TRANSITIONS, 'correct');
const KEY = ['BusinessEntity', 'BusinessDocId', 'PhaseCode'];

export interface StoredTicket {
  readonly Id: string;
  readonly BusinessEntity: string;
  readonly BusinessDocId: string;
  readonly Status: TicketStatus;
  readonly RawPayloadJson: string;
}

/** A ticket with the JSON it came in. */
export interface ReceivedTicket {
  readonly ticket: ShipmentTicketDto;
  readonly rawPayload: string;
  readonly traceParent: string | undefined;
}

@Injectable()
export class TicketRepository {
  insert(tx: Tx, received: ReceivedTicket): Promise<Inserted> {
    const { ticket } = received;
    const values = {
      BusinessEntity: varchar(ticket.businessEntity, 100),
      BusinessDocId: varchar(ticket.businessDocId, 100),
      PhaseCode: ticket.phaseCode,
      ...content(received),
    };
    const thisTicket =
      '(SELECT @BusinessEntity AS BusinessEntity, @BusinessDocId AS BusinessDocId, @PhaseCode AS PhaseCode)';
    const due =
      ticket.phaseCode === BASIC_PHASE
        ? tx.dialect.now
        : `(SELECT ${dueWhenReady(tx, 'n')} FROM ${thisTicket} AS n)`;
    return tx.dialect.insertOnce(tx, TABLE, values, KEY, { NextAttemptAt: due });
  }

  /** Nobody changes it until the transaction ends. */
  async lock(tx: Tx, id: string): Promise<StoredTicket> {
    const [row] = await tx.query<Omit<StoredTicket, 'Id'> & { Id: unknown }>(
      `SELECT Id AS Id, BusinessEntity AS BusinessEntity, BusinessDocId AS BusinessDocId, Status AS Status, ` +
        `RawPayloadJson AS RawPayloadJson FROM ${tx.dialect.table(TABLE)} ${tx.dialect.lockedRead} WHERE Id = @id`,
      { id },
    );
    if (!row) throw new Error(`Ticket ${id} vanished`);
    return { ...row, Id: String(row.Id) };
  }

  /** Takes the new content and begins again; the key keeps its spelling. False when a worker was quicker. */
  async correct(tx: Tx, id: string, received: ReceivedTicket): Promise<boolean> {
    const values = content(received);
    const assignments = Object.keys(values).map((name) => `${name} = @${name}`);
    const corrected = await tx.query(
      tx.dialect.update({
        table: TABLE,
        set: (row) =>
          `${assignments.join(', ')}, Status = '${ticketProcessing.states.waiting}', AttemptCount = 0, AbandonCount = 0, ` +
          `LastError = NULL, LeaseOwner = NULL, DiscardedAt = NULL, NextAttemptAt = ${dueWhenReady(tx, row)}, ` +
          `UpdatedAt = ${tx.dialect.now}`,
        where: (row) => `${row}.Id = @id AND ${inStates(`${row}.Status`, CORRECTABLE)}`,
        returning: ['Id'],
      }),
      { ...values, id },
    );
    return corrected.length > 0;
  }

  findPhases(tx: Tx, businessEntity: string, businessDocId: string): Promise<TicketInterfaceEntity[]> {
    return tx.entities.find(TicketInterfaceEntity, {
      where: { businessEntity, businessDocId },
      order: { phaseCode: 'DESC' },
    });
  }

  /** Newest first: those before the given one. */
  list(
    tx: Tx,
    query: TicketQuery,
    after: string | undefined,
    count: number,
  ): Promise<TicketInterfaceEntity[]> {
    return tx.entities.find(TicketInterfaceEntity, {
      select: SELECTED,
      where: { ...conditionsOf(query), ...(after !== undefined && { id: LessThan(after) }) },
      order: { id: 'DESC' },
      take: count,
    });
  }
}

/** All that a correction replaces. */
function content({ ticket, rawPayload, traceParent }: ReceivedTicket): SqlParameters {
  return {
    CompanyCode: varchar(ticket.companyCode, 20),
    BranchCode: varchar(ticket.branchCode, 20),
    DestinationCode: varchar(ticket.destinationCode, 20),
    ShipmentEvent: varchar(ticket.shipmentEvent, 20),
    FunctionalAckIsRequired: ticket.functionalAckIsRequired,
    TargetApplicationCode: varchar(ticket.targetApplicationCode, 20),
    RawPayloadJson: rawPayload,
    TraceParent: varchar(traceParent ?? null, 55),
  };
}

/** Locks what it waits for: a phase 15 that is being finished at this moment is seen either here or by whoever finishes it. */
function dueWhenReady({ dialect }: Tx, alias: string): string {
  const ready = ticketProcessing.ready?.(alias, dialect, dialect.lockedRead) ?? '1 = 1';
  return `CASE WHEN ${ready} THEN ${dialect.now} ELSE NULL END`;
}
