import { AppError } from '@malote/app-error';
import { saoPauloYear } from '@malote/brazil';
import { messageKey } from '@malote/idempotency';
import {
  type AuditFilter,
  auditRegister,
  DocumentNumbers,
  DocumentTypeEntity,
  formatNumber,
  type RegisterAudit,
  SequenceEntity,
  type TakenNumber,
} from '@malote/numbering';
import { UnitOfWork } from '@malote/persistence';
import { type Page, pageOf } from '@malote/service-kit';
import { Injectable } from '@nestjs/common';
import type { SignedIn } from '../auth/signed-in.ts';
import { Clock } from '../clock.ts';
import type { NewNumberDto, NextNumberDto } from './number.dto.ts';
import { NumberMetrics } from './number-metrics.ts';
import { type RegisteredNumber, RegisterRepository } from './register.repository.ts';
import { RegisterFilter } from './register.query.ts';

const EXPORT_PAGE = 200;

@Injectable()
export class NumbersService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly numbers: DocumentNumbers,
    private readonly register: RegisterRepository,
    private readonly metrics: NumberMetrics,
    private readonly clock: Clock,
  ) {}

  /** The same key is the same number: keys belong to whoever chose them. */
  take(user: SignedIn, given: NewNumberDto, idempotencyKey: string): Promise<TakenNumber> {
    const { id, name, email } = user;
    const request = {
      documentTypeId: given.documentTypeId.toLowerCase(),
      user: { id, name, email },
      subject: textOrNull(given.subject),
      recipient: textOrNull(given.recipient),
      requestKey: messageKey('number', id, idempotencyKey),
    };
    return this.metrics.observe(() => this.numbers.take(request, this.clock.now()));
  }

  async annul(user: SignedIn, id: string, reason: string): Promise<RegisteredNumber> {
    const annuller = { id: user.id, name: user.name, email: user.email, isAdmin: user.role === 'admin' };
    await this.numbers.annul({ id, user: annuller, reason: reason.trim() }, this.clock.now());
    return this.find(id);
  }

  async find(id: string): Promise<RegisteredNumber> {
    const found = await this.uow.read((tx) => this.register.find(tx, id));
    if (!found) throw new AppError('not-found', 'number-unknown', 'There is no such number');
    return found;
  }

  list(filter: RegisterFilter): Promise<Page<RegisteredNumber>> {
    return pageOf<RegisteredNumber>(
      'numbers',
      filter,
      ({ taken }) => taken.id,
      (before, count) => this.uow.read((tx) => this.register.list(tx, filter, before, count)),
    );
  }

  /** All that match, page by page: a register of years does not fit into memory. */
  async *all(filter: RegisterFilter): AsyncGenerator<RegisteredNumber> {
    let before: string | undefined;
    for (;;) {
      const after = before;
      const page = await this.uow.read((tx) => this.register.list(tx, filter, after, EXPORT_PAGE));
      yield* page;
      before = page.at(-1)?.taken.id;
      if (page.length < EXPORT_PAGE) return;
    }
  }

  lastOf(user: SignedIn, count: number): Promise<RegisteredNumber[]> {
    return this.uow.read((tx) => this.register.list(tx, { userId: user.id }, undefined, count));
  }

  /** What each active type would give out next. */
  next(): Promise<NextNumberDto[]> {
    const year = saoPauloYear(this.clock.now());
    return this.uow.read(async (tx) => {
      const types = await tx.entities.find(DocumentTypeEntity, {
        where: { isActive: true },
        order: { sortOrder: 'ASC', name: 'ASC' },
      });
      const sequences = await tx.entities.findBy(SequenceEntity, { year });
      const last = new Map(sequences.map(({ documentTypeId, lastNumber }) => [documentTypeId, lastNumber]));
      return types.map(({ id, name, prefix }) => ({
        documentTypeId: id,
        documentTypeName: name,
        prefix,
        formattedNumber: formatNumber((last.get(id) ?? 0) + 1, year),
      }));
    });
  }

  audit(filter: AuditFilter): Promise<RegisterAudit> {
    return auditRegister(this.uow, filter, this.clock.now());
  }
}

function textOrNull(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}
