import { AppError } from '@malote/app-error';
import { saoPauloYear } from '@malote/brazil';
import { messageKey } from '@malote/idempotency';
import {
  type AuditFilter,
  auditRegister,
  type Description,
  DESCRIPTION_FIELDS,
  DocumentNumbers,
  DocumentTypeEntity,
  formatNumber,
  NumberLogEntity,
  type RegisterAudit,
  SequenceEntity,
  type TakenNumber,
  UNDESCRIBED,
} from '@malote/numbering';
import { UnitOfWork } from '@malote/persistence';
import { type Page, pageOf } from '@malote/service-kit';
import { Injectable } from '@nestjs/common';
import type { SignedIn } from '../auth/signed-in.ts';
import { Clock } from '../clock.ts';
import type { DescriptionDto, NewNumberDto, NextNumberDto } from './number.dto.ts';
import { NumberMetrics } from './number-metrics.ts';
import { type RegisteredNumber, RegisterRepository } from './register.repository.ts';
import { refuseReversed, RegisterFilter, RegisterQuery } from './register.query.ts';

const EXPORT_PAGE = 200;

export interface RegisteredAnswer {
  readonly number: RegisteredNumber;
  readonly outcome: TakenNumber['outcome'];
}

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
  async take(user: SignedIn, given: NewNumberDto, idempotencyKey: string): Promise<RegisteredAnswer> {
    const { id, name, email } = user;
    const request = {
      documentTypeId: given.documentTypeId.toLowerCase(),
      user: { id, name, email },
      description: { ...UNDESCRIBED, ...descriptionIn(given) },
      requestKey: messageKey('number', id, idempotencyKey),
    };
    const { entry, outcome } = await this.metrics.observe(() => this.numbers.take(request, this.clock.now()));
    // A number that was taken before may have been amended or annulled since.
    const number =
      outcome === 'created'
        ? { taken: entry, latest: entry, annulled: undefined }
        : await this.find(entry.id);
    return { number, outcome };
  }

  async annul(user: SignedIn, id: string, reason: string): Promise<RegisteredNumber> {
    await this.numbers.annul({ id, user: authorOf(user), reason: reason.trim() }, this.clock.now());
    return this.find(id);
  }

  /** What is absent stays as it is. `seen` is the hash of the entry whose description was shown, where one was. */
  async amend(user: SignedIn, id: string, given: DescriptionDto, seen?: string): Promise<RegisteredNumber> {
    const changes = descriptionIn(given);
    await this.numbers.amend({ id, user: authorOf(user), changes, seen }, this.clock.now());
    return this.find(id);
  }

  async history(id: string): Promise<NumberLogEntity[]> {
    const { taken } = await this.find(id);
    return this.uow.read((tx) => this.register.history(tx, taken));
  }

  async find(id: string): Promise<RegisteredNumber> {
    const found = await this.uow.read((tx) => this.register.find(tx, id));
    if (!found) throw new AppError('not-found', 'number-unknown', 'There is no such number');
    return found;
  }

  async list(filter: RegisterQuery): Promise<Page<RegisteredNumber>> {
    refuseReversed(filter);
    return pageOf<RegisteredNumber>(
      'numbers',
      filter,
      ({ taken }) => taken.id,
      (before, count) => this.uow.read((tx) => this.register.list(tx, filter, before, count)),
    );
  }

  /** All that match, page by page: a register of years does not fit into memory. */
  async *all(filter: RegisterFilter): AsyncGenerator<RegisteredNumber> {
    refuseReversed(filter);
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
      // Ids a DBA made are in upper case.
      const last = new Map(sequences.map((found) => [found.documentTypeId.toLowerCase(), found.lastNumber]));
      return types.map(({ id, name, prefix }) => ({
        documentTypeId: id.toLowerCase(),
        documentTypeName: name,
        prefix,
        formattedNumber: formatNumber((last.get(id.toLowerCase()) ?? 0) + 1, year),
      }));
    });
  }

  async audit(filter: AuditFilter): Promise<RegisterAudit> {
    const { documentTypeId: id } = filter;
    if (
      id !== undefined &&
      !(await this.uow.read((tx) => tx.entities.existsBy(DocumentTypeEntity, { id })))
    ) {
      throw new AppError('not-found', 'document-type-unknown', 'There is no such document type');
    }
    return auditRegister(this.uow, filter, this.clock.now());
  }
}

function authorOf({ id, name, email, role }: SignedIn) {
  return { id, name, email, isAdmin: role === 'admin' };
}

/** The fields that were given; blanks say nothing. */
function descriptionIn(given: DescriptionDto): Partial<Description> {
  const fields = DESCRIPTION_FIELDS.flatMap((name) => {
    const text = given[name];
    return text === undefined ? [] : [[name, text?.trim() ? text.trim() : null] as const];
  });
  return Object.fromEntries(fields);
}
