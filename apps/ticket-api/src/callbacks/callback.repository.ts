import { nvarchar, type Tx, varchar } from '@malote/persistence';
import { type CallbackStatus, type TicketKey, ticketProcessing } from '@malote/tickets';
import { Injectable } from '@nestjs/common';
import type { CallbackDto } from './callback.dto.ts';

const TABLE = ticketProcessing.table;

export interface CalledBack {
  readonly Id: string;
  readonly CallbackStatus: CallbackStatus;
}

/** What tickets say of their callbacks. */
@Injectable()
export class CallbackRepository {
  /** Undefined: there is no such ticket. Nobody changes it until the transaction ends, where servers lock what is read. */
  async lock(
    tx: Tx,
    { businessEntity, businessDocId, phaseCode }: TicketKey,
  ): Promise<CalledBack | undefined> {
    const [ticket] = await tx.query<CalledBack>(
      `SELECT Id AS Id, CallbackStatus AS CallbackStatus FROM ${tx.dialect.table(TABLE)} ${tx.dialect.lockedRead} ` +
        `WHERE BusinessEntity = @businessEntity AND BusinessDocId = @businessDocId AND PhaseCode = @phaseCode`,
      {
        businessEntity: varchar(businessEntity, 100),
        businessDocId: varchar(businessDocId, 100),
        phaseCode,
      },
    );
    return ticket;
  }

  /** False when another callback came between: some servers do not lock what is read. */
  async store(
    tx: Tx,
    { Id: id, CallbackStatus: before }: CalledBack,
    { status, code, message }: CallbackDto,
    raw: string,
  ): Promise<boolean> {
    const { dialect } = tx;
    const changed = await tx.query(
      dialect.update({
        table: TABLE,
        set: () =>
          `CallbackStatus = @status, CallbackReceivedAt = ${dialect.now}, CallbackPayloadJson = @raw, ` +
          `CallbackCode = @code, CallbackMessage = @message, UpdatedAt = ${dialect.now}`,
        where: (ticket) => `${ticket}.Id = @id AND ${ticket}.CallbackStatus = @before`,
        returning: ['Id'],
      }),
      {
        id,
        before: varchar(before, 20),
        status: varchar(status, 20),
        raw,
        code: varchar(code ?? null, 50),
        message: nvarchar(message?.slice(0, 2000).toWellFormed() ?? null, 2000),
      },
    );
    return changed.length === 1;
  }
}
