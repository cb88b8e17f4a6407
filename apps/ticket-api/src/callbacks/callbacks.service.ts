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
      for (;;) {
        const ticket = await this.lock(tx, callback);
        const { CallbackStatus: callbackStatus } = ticket;
        if (!can(CALLBACK_TRANSITIONS, callbackStatus, callback.status))
          return { applied: false, callbackStatus };
        const applied = await this.store(tx, ticket, callback, rawPayload);
        if (applied) return { applied, callbackStatus: callback.status };
      }
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

  /** False when another callback came between: some servers do not lock what is read. */
  private async store(
    tx: Tx,
    { Id: id, CallbackStatus: before }: CalledBack,
    { status, code, message }: CallbackDto,
    raw: string,
  ): Promise<boolean> {
    const { dialect } = tx;
    const changed = await tx.query(
      dialect.update({
        table: 'TB_TICKET_INTERFACE',
        set:
          `CallbackStatus = @status, CallbackReceivedAt = ${dialect.now}, CallbackPayloadJson = @raw, ` +
          `CallbackCode = @code, CallbackMessage = @message, UpdatedAt = ${dialect.now}`,
        where: 't.Id = @id AND t.CallbackStatus = @before',
        returning: ['Id'],
      }),
      {
        id,
        before: varchar(before, 20),
        status,
        raw,
        code: code === undefined || code === null ? null : varchar(code, 50),
        message: message?.slice(0, 2000).toWellFormed() ?? null,
      },
    );
    return changed.length === 1;
  }
}
