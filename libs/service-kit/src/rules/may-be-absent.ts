import { ValidateIf } from 'class-validator';

/** Unlike `@IsOptional`, refuses null: what was meant to say something must not pass for nothing. */
export function MayBeAbsent(): PropertyDecorator {
  return ValidateIf((_dto, value) => value !== undefined);
}
