import { AppError } from '@malote/app-error';
import { saoPauloTime } from '@malote/brazil';
import { IsText, MayBeAbsent, PageQuery, parseInstant, RefuseUnknownFields } from '@malote/service-kit';
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsIn, IsUUID, ValidateBy } from 'class-validator';

export const NUMBER_STATES = ['issued', 'annulled'] as const;
export type NumberState = (typeof NUMBER_STATES)[number];

/** The years that sequences have. */
const DAY = /^(?:20[2-9]\d|2100)-\d{2}-\d{2}$/;

function IsDay(): PropertyDecorator {
  return ValidateBy({
    name: 'isDay',
    validator: {
      validate: (value) => typeof value === 'string' && DAY.test(value) && parseInstant(value) !== undefined,
      defaultMessage: () => '$property must be a day such as 2026-07-01, from 2020 to 2100',
    },
  });
}

const day = { type: String, format: 'date', required: false, example: '2026-07-01' } as const;

/** What the register can be searched by, page by page. */
@RefuseUnknownFields()
export class RegisterQuery extends PageQuery {
  @MayBeAbsent()
  @IsUUID()
  documentTypeId?: string;

  /** Taken on this day or later; days are those of São Paulo. */
  @ApiProperty(day)
  @MayBeAbsent()
  @IsDay()
  from?: string;

  /** Taken on this day or before. */
  @ApiProperty(day)
  @MayBeAbsent()
  @IsDay()
  to?: string;

  @MayBeAbsent()
  @IsUUID()
  userId?: string;

  @MayBeAbsent()
  @IsIn(NUMBER_STATES)
  state?: NumberState;

  /** Part of the number, the subject, the recipient, the name of who took it or the reason of its annulment. */
  @MayBeAbsent()
  @IsText(1, 100)
  text?: string;
}

/** The same where all that match are wanted. */
@RefuseUnknownFields()
export class RegisterFilter extends OmitType(RegisterQuery, ['limit', 'cursor'] as const) {}

export function refuseReversed({ from, to }: RegisterFilter): void {
  if (from === undefined || to === undefined || from <= to) return;
  const message = 'to must not be before from';
  const fields = [{ pointer: '/to', code: 'reversed', message }];
  throw new AppError('invalid', 'validation-failed', message, { fields });
}

/** The moment a day begins in São Paulo, which is not always three hours after UTC's. */
export function beginningOf(day: string): Date {
  const utc = new Date(`${day}T00:00:00Z`);
  for (const hours of [2, 3, 4]) {
    const moment = new Date(utc.getTime() + hours * 3_600_000);
    if (saoPauloTime(moment).startsWith(`${day}T00:00:00`)) return moment;
  }
  // The day summer time began had no midnight.
  return new Date(utc.getTime() + 3 * 3_600_000);
}

export function beginningOfNext(day: string): Date {
  const next = new Date(`${day}T12:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return beginningOf(next.toISOString().slice(0, 10));
}
