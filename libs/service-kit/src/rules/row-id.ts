import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

const LARGEST_ID = 2n ** 63n - 1n;

export function isRowId(value: unknown): value is string {
  return typeof value === 'string' && /^[1-9]\d{0,18}$/.test(value) && BigInt(value) <= LARGEST_ID;
}

/** Id of a row: a BIGINT as text, since JSON's numbers lose digits. */
export function IsRowId(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isRowId',
      validator: {
        validate: isRowId,
        defaultMessage: buildMessage(
          (each) => `${each}$property must be an id: a whole number from 1 to ${LARGEST_ID}, as text`,
          options,
        ),
      },
    },
    options,
  );
}
