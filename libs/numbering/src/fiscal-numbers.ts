import { AppError } from '@malote/app-error';
import { type Tx, varchar } from '@malote/persistence';
import { type FiscalKind, largestNumber } from './fiscal-kind.ts';

export interface FiscalRange {
  /** CNPJ or CPF, without its mask. */
  readonly issuer: string;
  readonly kind: FiscalKind;
  readonly series: string;
}

/**
 * The next number of a fiscal range, in the transaction that stores the document it is for: rolled back together, the number is
 * given out again. Throws when nobody opened the range, or somebody blocked it.
 */
export async function takeFiscalNumber(tx: Tx, { issuer, kind, series }: FiscalRange): Promise<number> {
  const range = await tx.dialect.changeOne<{ LastNumber: string | number; IsBlocked: number | boolean }>(
    tx,
    {
      table: 'TB_NUMBER_RANGES',
      set: `LastNumber = LastNumber + 1, UpdatedAt = ${tx.dialect.now}`,
      key: ['Issuer', 'Kind', 'Series'],
      returning: ['LastNumber', 'IsBlocked'],
    },
    { Issuer: varchar(issuer, 14), Kind: varchar(kind, 10), Series: varchar(series, 5) },
  );
  const details = { kind, series };
  if (!range) {
    throw new AppError('not-found', 'range-unknown', 'The issuer has no range of this kind and series', {
      details,
    });
  }
  if (range.IsBlocked) throw new AppError('conflict', 'range-blocked', 'The range is blocked', { details });
  const number = Number(range.LastNumber);
  if (number <= largestNumber(kind)) return number;
  throw new AppError('conflict', 'range-used-up', 'The range has no numbers left', { details });
}
