import type { Tx } from '@malote/persistence';
import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, LessThan } from 'typeorm';
import { Clock } from '../clock.ts';
import { AdminActionEntity } from './admin-action.entity.ts';

export interface Actor {
  readonly id: string;
  readonly name: string;
}

export interface AdminAction {
  /** At most 40 characters. */
  readonly action: string;
  /** What it was done to, for people to read; at most 200 characters. */
  readonly subject: string;
  readonly reason?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** The record of what admins did, kept in the transaction that did it. */
@Injectable()
export class AdminActions {
  constructor(private readonly clock: Clock) {}

  async record(tx: Tx, actor: Actor, { action, subject, reason, details }: AdminAction): Promise<void> {
    await tx.entities.insert(AdminActionEntity, {
      actorId: actor.id,
      actorName: actor.name,
      action,
      subject,
      reason: reason ?? null,
      details: details ? JSON.stringify(details) : null,
      createdAt: this.clock.now(),
    });
  }

  /** Newest first; `before` is the last id of the page before. */
  list(tx: Tx, before: string | undefined, count: number): Promise<AdminActionEntity[]> {
    const where: FindOptionsWhere<AdminActionEntity> = before === undefined ? {} : { id: LessThan(before) };
    return tx.entities.find(AdminActionEntity, { where, order: { id: 'DESC' }, take: count });
  }
}
