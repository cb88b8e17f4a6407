import { buildMessage, ValidateBy, type ValidationArguments, type ValidationOptions } from 'class-validator';

/** What a VARCHAR column can hold; SQL Server replaces any other character by a question mark. */
const WINDOWS_1252 = /^[\t\n\r\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;
const KEY = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Text for a VARCHAR column: what does not fit is refused, never cut or altered. */
export function FitsVarchar(length: number, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'fitsVarchar',
      constraints: [length],
      validator: {
        validate: (value) => typeof value === 'string' && value.length <= length && WINDOWS_1252.test(value),
        defaultMessage: buildMessage((each, args) => `${each}$property ${misfit(args, length)}`, options),
      },
    },
    options,
  );
}

/** A key of the business: printable ASCII without blanks at either end, so that every database compares it alike. */
export function IsKey(length: number, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isKey',
      constraints: [length],
      validator: {
        validate: (value) => typeof value === 'string' && value.length <= length && KEY.test(value),
        defaultMessage: buildMessage(
          (each) =>
            `${each}$property must be 1 to ${length} printable ASCII characters without blanks at either end`,
          options,
        ),
      },
    },
    options,
  );
}

export const KEY_PATTERN = KEY.source;

function misfit(args: ValidationArguments | undefined, length: number): string {
  const value: unknown = args?.value;
  if (typeof value !== 'string') return 'must be text';
  if (value.length > length) return `must not be longer than ${length} characters, and has ${value.length}`;
  const strange = Array.from(value).find((character) => !WINDOWS_1252.test(character)) ?? '';
  const code = strange.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? '';
  return `must be at most ${length} characters of Windows-1252, which U+${code} is not`;
}
