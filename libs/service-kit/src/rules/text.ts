import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

/** Line breaks of any kind, and signs that turn the text around them. */
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** Signs nobody sees. */
const INVISIBLE = /\p{Cf}/gu;

/**
 * One line of text for an NVARCHAR column. Blanks at either end and invisible signs do not count towards the least length; the most is counted as
 * SQL Server counts, to whom an emoji is two characters.
 */
export function IsText(least: number, most: number, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isText',
      constraints: [least, most],
      validator: {
        validate: (value) =>
          typeof value === 'string' &&
          value.replaceAll(INVISIBLE, '').trim().length >= least &&
          value.length <= most &&
          value.isWellFormed() &&
          !UNFIT.test(value),
        defaultMessage: buildMessage(
          (each) => `${each}$property must be one line of ${least} to ${most} characters`,
          options,
        ),
      },
    },
    options,
  );
}
