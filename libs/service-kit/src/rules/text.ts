import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

const CONTROL = /\p{Cc}/u;

/**
 * One line of text for an NVARCHAR column. Blanks at either end do not count towards the least length; the most is counted as
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
          value.trim().length >= least &&
          value.length <= most &&
          value.isWellFormed() &&
          !CONTROL.test(value),
        defaultMessage: buildMessage(
          (each) => `${each}$property must be one line of ${least} to ${most} characters`,
          options,
        ),
      },
    },
    options,
  );
}
