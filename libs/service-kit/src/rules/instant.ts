import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-](\d{2}):(\d{2})))?$/;

/** A moment as RFC 3339 writes it, or a day, which stands for its beginning in UTC; undefined for 30 February and the like. */
export function parseInstant(text: string): Date | undefined {
  const match = INSTANT.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] =
    match.slice(1).map((part: string | undefined) => Number(part ?? 0));
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const exists =
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= lastDay &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59 &&
    offsetHour <= 23 &&
    offsetMinute <= 59;
  return exists ? new Date(text.toUpperCase()) : undefined;
}

export function IsInstant(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isInstant',
      validator: {
        validate: (value) => typeof value === 'string' && parseInstant(value) !== undefined,
        defaultMessage: buildMessage(
          (each) => `${each}$property must be a moment such as 2026-07-01T12:00:00Z, or a day`,
          options,
        ),
      },
    },
    options,
  );
}
