import { AppError } from '@malote/app-error';
import { normaliseTaxId } from '@malote/brazil';
import { isSeries, largestNumber, NumberRangeEntity } from '@malote/numbering';
import { type Tx, UnitOfWork, varchar } from '@malote/persistence';
import { Injectable } from '@nestjs/common';
import { AdminActions } from '../admin-actions/admin-actions.ts';
import type { SignedIn } from '../auth/signed-in.ts';
import type { NewNumberRangeDto } from './number-range.dto.ts';

const ORDER = { issuer: 'ASC', kind: 'ASC', series: 'ASC' } as const;

/** Fiscal ranges are opened and blocked here; the fiscal emitter takes the numbers. */
@Injectable()
export class NumberRangesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly actions: AdminActions,
  ) {}

  list(): Promise<NumberRangeEntity[]> {
    return this.uow.read((tx) => tx.entities.find(NumberRangeEntity, { order: ORDER }));
  }

  create(actor: SignedIn, given: NewNumberRangeDto): Promise<NumberRangeEntity> {
    const { kind, series, lastNumber = 0 } = given;
    const issuer = normaliseTaxId(given.issuer) ?? given.issuer;
    if (!isSeries(kind, series)) throw invalid('/series', 'series', `${series} is no series of ${kind}`);
    if (lastNumber >= largestNumber(kind)) {
      throw invalid('/lastNumber', 'last-number', `A range of ${kind} ends at ${largestNumber(kind)}`);
    }
    return this.uow.run(async (tx) => {
      const { id, inserted } = await tx.dialect.insertOnce(
        tx,
        'TB_NUMBER_RANGES',
        {
          Issuer: varchar(issuer, 14),
          Kind: varchar(kind, 10),
          Series: varchar(series, 5),
          LastNumber: lastNumber,
        },
        ['Issuer', 'Kind', 'Series'],
      );
      if (!inserted) throw new AppError('conflict', 'range-exists', 'The issuer has this range already');
      const subject = subjectOf({ issuer, kind, series });
      await this.actions.record(tx, actor, { action: 'range-created', subject, details: { lastNumber } });
      return load(tx, id);
    });
  }

  /** From the next request on, nobody gets a number of it. */
  block(actor: SignedIn, id: string, reason: string): Promise<NumberRangeEntity> {
    return this.setBlocked(actor, id, true, reason);
  }

  unblock(actor: SignedIn, id: string, reason: string): Promise<NumberRangeEntity> {
    return this.setBlocked(actor, id, false, reason);
  }

  private setBlocked(
    actor: SignedIn,
    id: string,
    isBlocked: boolean,
    reason: string,
  ): Promise<NumberRangeEntity> {
    return this.uow.run(async (tx) => {
      // Locked: two admins at once are one who changes it and one who finds it changed.
      const lock = {
        table: 'TB_NUMBER_RANGES',
        set: 'IsBlocked = IsBlocked',
        key: ['Id'],
        returning: ['Id'],
      };
      await tx.dialect.changeOne(tx, lock, { Id: id });
      const range = await load(tx, id);
      if (range.isBlocked === isBlocked) return range;
      await tx.execute(
        `UPDATE ${tx.dialect.table('TB_NUMBER_RANGES')} SET IsBlocked = @isBlocked, BlockReason = @reason, ` +
          `UpdatedAt = ${tx.dialect.now} WHERE Id = @id`,
        { id, isBlocked, reason: isBlocked ? reason.trim() : null },
      );
      const action = isBlocked ? 'range-blocked' : 'range-unblocked';
      await this.actions.record(tx, actor, { action, subject: subjectOf(range), reason: reason.trim() });
      return load(tx, id);
    });
  }
}

async function load(tx: Tx, id: string): Promise<NumberRangeEntity> {
  const range = await tx.entities.findOneBy(NumberRangeEntity, { id });
  if (!range) throw new AppError('not-found', 'range-unknown', 'There is no such range');
  return range;
}

function subjectOf({ issuer, kind, series }: Pick<NumberRangeEntity, 'issuer' | 'kind' | 'series'>): string {
  return `${issuer} ${kind} ${series}`;
}

function invalid(pointer: string, code: string, message: string): AppError {
  return new AppError('invalid', 'validation-failed', message, { fields: [{ pointer, code, message }] });
}
