import { AppError } from '@malote/app-error';
import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';

/** What was typed, by the name of its field. */
export type FormFields = Readonly<Record<string, string>>;

/** The named fields of a form or a query string. An empty one is one that was left out; of several, the last counts. */
export function fieldsOf(given: unknown, names: readonly string[]): FormFields {
  const source: Readonly<Record<string, unknown>> =
    typeof given === 'object' && given !== null ? { ...given } : {};
  const fields: Record<string, string> = {};
  for (const name of names) {
    const value: unknown = Array.isArray(source[name]) ? source[name].at(-1) : source[name];
    if (typeof value === 'string' && value.trim() !== '') fields[name] = value;
  }
  return fields;
}

/** The DTO of the API, by its own rules. */
export function readForm<T extends object>(type: Type<T>, given: object): T {
  const dto = plainToInstance(type, given, { exposeUnsetFields: false });
  const errors = validateSync(dto, { forbidUnknownValues: false, validationError: { target: false } });
  if (errors.length === 0) return dto;
  const fields = errors.map(({ property }) => ({
    pointer: `/${property}`,
    code: 'invalid',
    message: `${property} is not valid`,
  }));
  throw new AppError('invalid', 'validation-failed', 'The form is not valid', { fields });
}

/** A number where there is one; anything else stays text, for the rule to refuse. */
export function wholeNumber(typed: string | undefined): number | string | undefined {
  const text = typed?.trim();
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** What was typed into several lines is kept in one. */
export function oneLine(typed: string | undefined): string | undefined {
  return typed?.replaceAll(/\s+/g, ' ').trim();
}
