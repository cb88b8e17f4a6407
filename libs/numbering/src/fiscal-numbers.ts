import { AppError } from '@malote/app-error';
import { type Tx, varchar } from '@malote/persistence';
import { type FiscalKind, largestNumber } from './fiscal-kind.ts';

const TABLE = 'TB_NUMBER_RANGES';

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
  const key = { Issuer: varchar(issuer, 14), Kind: varchar(kind, 10), Series: varchar(series, 5) };
  const names = Object.keys(key);
  // Locked before it is looked at, and moved on after: a refusal leaves it where it was, whoever catches it.
  const range = await tx.dialect.changeOne<{ LastNumber: string | number; IsBlocked: number | boolean }>(
    tx,
    {
      table: TABLE,
      set: 'LastNumber = LastNumber',
      key: names,
      returning: ['LastNumber', 'IsBlocked'],
    },
    key,
  );
  const details = { kind, series };
  if (!range) {
    throw new AppError('not-found', 'range-unknown', 'The issuer has no range of this kind and series', {
      details,
    });
  }
  if (range.IsBlocked) throw new AppError('conflict', 'range-blocked', 'The range is blocked', { details });
  const number = Number(range.LastNumber) + 1;
  if (number > largestNumber(kind)) {
    throw new AppError('conflict', 'range-used-up', 'The range has no numbers left', { details });
  }
  const where = names.map((name) => `${name} = @${name}`).join(' AND ');
  await tx.execute(
    `UPDATE ${tx.dialect.table(TABLE)} SET LastNumber = @number, UpdatedAt = ${tx.dialect.now} WHERE ${where}`,
    { ...key, number },
  );
  return number;
}
