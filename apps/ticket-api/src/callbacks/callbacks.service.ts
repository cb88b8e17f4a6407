import { AppError } from '@malote/app-error';
import { type Tx, UnitOfWork, varchar } from '@malote/persistence';
import { can } from '@malote/state-machine';
import { CALLBACK_TRANSITIONS, type CallbackStatus } from '@malote/tickets';
import { Injectable } from '@nestjs/common';
import type { CallbackDto, CallbackReceiptDto } from './callback.dto.ts';

interface CalledBack {
  readonly Id: string;
  readonly CallbackStatus: CallbackStatus;
}

@Injectable()
export class CallbacksService {
  constructor(private readonly uow: UnitOfWork) {}

  /** Late, repeated and out-of-order callbacks change nothing, and are answered like any other: the gateway need not repeat them. */
  receive(callback: CallbackDto, rawPayload: string): Promise<CallbackReceiptDto> {
    return this.uow.run(async (tx) => {
      const ticket = await this.lock(tx, callback);
      const applied = can(CALLBACK_TRANSITIONS, ticket.CallbackStatus, callback.status);
      if (applied) await this.store(tx, ticket.Id, callback, rawPayload);
      return { applied, callbackStatus: applied ? callback.status : ticket.CallbackStatus };
    });
  }

  private async lock(tx: Tx, { businessEntity, businessDocId, phaseCode }: CallbackDto): Promise<CalledBack> {
    const [ticket] = await tx.query<CalledBack>(
      `SELECT Id AS Id, CallbackStatus AS CallbackStatus FROM ${tx.dialect.table('TB_TICKET_INTERFACE')} ${tx.dialect.lockedRead} ` +
        `WHERE BusinessEntity = @businessEntity AND BusinessDocId = @businessDocId AND PhaseCode = @phaseCode`,
      {
        businessEntity: varchar(businessEntity, 100),
        businessDocId: varchar(businessDocId, 100),
        phaseCode,
      },
    );
    if (ticket) return ticket;
    throw new AppError('not-found', 'ticket-unknown', 'There is no such ticket');
  }

  private async store(
    tx: Tx,
    id: string,
    { status, code, message }: CallbackDto,
    raw: string,
  ): Promise<void> {
    await tx.execute(
      `UPDATE ${tx.dialect.table('TB_TICKET_INTERFACE')} SET CallbackStatus = @status, CallbackReceivedAt = ${tx.dialect.now}, ` +
        `CallbackPayloadJson = @raw, CallbackCode = @code, CallbackMessage = @message, UpdatedAt = ${tx.dialect.now} WHERE Id = @id`,
      {
        id,
        status,
        raw,
        code: code === undefined || code === null ? null : varchar(code, 50),
        message: message?.slice(0, 2000).toWellFormed() ?? null,
      },
    );
  }
}
