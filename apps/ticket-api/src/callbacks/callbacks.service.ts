import { AppError } from '@malote/app-error';
import { UnitOfWork } from '@malote/persistence';
import { can } from '@malote/state-machine';
import { CALLBACK_TRANSITIONS } from '@malote/tickets';
import { Injectable } from '@nestjs/common';
import type { CallbackDto, CallbackReceiptDto } from './callback.dto.ts';
import { CallbackRepository } from './callback.repository.ts';

@Injectable()
export class CallbacksService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly callbacks: CallbackRepository,
  ) {}

  /** Late, repeated and out-of-order callbacks change nothing, and are answered like any other: the gateway need not repeat them. */
  receive(callback: CallbackDto, rawPayload: string): Promise<CallbackReceiptDto> {
    return this.uow.run(async (tx) => {
      for (;;) {
        const ticket = await this.callbacks.lock(tx, callback);
        if (!ticket) throw new AppError('not-found', 'ticket-unknown', 'There is no such ticket');
        const { CallbackStatus: callbackStatus } = ticket;
        if (!can(CALLBACK_TRANSITIONS, callbackStatus, callback.status))
          return { applied: false, callbackStatus };
        const applied = await this.callbacks.store(tx, ticket, callback, rawPayload);
        if (applied) return { applied, callbackStatus: callback.status };
      }
    });
  }
}
