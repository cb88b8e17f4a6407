import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { KEY_PATTERN } from '../rules/column-rules.ts';

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
export type Schema = Readonly<Record<string, unknown>>;

export interface ValidatedProperty {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
  /** The class of the value, or of each of its items, when it is a DTO itself. */
  readonly nested?: Type;
}

const NESTED = 'nestedValidation';
const CONDITIONAL = 'conditionalValidation';
const DATE_TIME = { type: 'string', format: 'date-time' };

/** What each rule of class-validator says in JSON Schema; a rule that is missing here is enforced but not documented. */
const SCHEMA_OF_RULE: Readonly<Record<string, (...constraints: readonly unknown[]) => Schema>> = {
  isString: () => ({ type: 'string' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isBoolean: () => ({ type: 'boolean' }),
  isObject: () => ({ type: 'object', additionalProperties: true }),
  isArray: () => ({ type: 'array' }),
  isDate: () => DATE_TIME,
  isIso8601: () => DATE_TIME,
  isDateString: () => DATE_TIME,
  isRFC3339: () => DATE_TIME,
  isInstant: () => DATE_TIME,
  isKey: (maxLength) => ({ type: 'string', minLength: 1, maxLength, pattern: KEY_PATTERN }),
  isRowId: () => ({ type: 'string', pattern: '^[1-9][0-9]{0,18}$' }),
  isText: (minLength, maxLength) => ({ type: 'string', minLength, maxLength }),
  fitsVarchar: (maxLength) => ({ type: 'string', maxLength }),
  isUuid: () => ({ type: 'string', format: 'uuid' }),
  isEmail: () => ({ type: 'string', format: 'email' }),
  isUrl: () => ({ type: 'string', format: 'uri' }),
  isLength: (minLength, maxLength) => ({ type: 'string', minLength, maxLength }),
  minLength: (minLength) => ({ type: 'string', minLength }),
  maxLength: (maxLength) => ({ type: 'string', maxLength }),
  matches: (pattern) => ({ type: 'string', ...patternOf(pattern) }),
  min: (minimum) => ({ minimum }),
  max: (maximum) => ({ maximum }),
  isPositive: () => ({ exclusiveMinimum: 0 }),
  isIn: enumOf,
  isEnum: (_entity, values) => enumOf(values),
  arrayMinSize: (minItems) => ({ type: 'array', minItems }),
  arrayMaxSize: (maxItems) => ({ type: 'array', maxItems }),
  arrayNotEmpty: () => ({ type: 'array', minItems: 1 }),
  arrayUnique: () => ({ type: 'array', uniqueItems: true }),
};

/** The properties of a DTO as its validation rules describe them; none for any other class. */
export function validatedProperties(dto: Type): ValidatedProperty[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const byProperty = getMetadataStorage().groupByPropertyName(rules);
  return Object.entries(byProperty).map(([name, own]) => describe(dto, name, own));
}

function describe(dto: Type, name: string, rules: readonly Rule[]): ValidatedProperty {
  const designed = Reflect.getMetadata('design:type', dto.prototype as object, name) as unknown;
  const whole = merge(rules.filter(({ each }) => !each));
  const isArray = whole.type === 'array' || designed === Array || rules.some(({ each }) => each);
  const items = merge(rules.filter(({ each }) => each));
  const nested = rules.some(({ type }) => type === NESTED) ? nestedType(dto, name) : undefined;
  return {
    name,
    isRequired: !rules.some(({ type }) => type === CONDITIONAL),
    schema: isArray ? { ...whole, type: 'array', items } : { ...typeOf(designed), ...whole },
    ...(nested && { nested }),
  };
}

function merge(rules: readonly Rule[]): Schema {
  const parts = rules.map(({ name = '', constraints }) => {
    // Rules without constraints leave out what the type promises.
    const given = constraints as readonly unknown[] | undefined;
    return SCHEMA_OF_RULE[name]?.(...(given ?? []));
  });
  const known = Object.entries(Object.assign({}, ...parts) as Schema);
  return Object.fromEntries(known.filter(([, value]) => value !== undefined));
}

/** class-transformer keeps what `@Type` says to itself; an empty item shows it. */
function nestedType(dto: Type, name: string): Type | undefined {
  const sample = plainToInstance(dto, { [name]: [{}] }) as Record<string, unknown>;
  const items = sample[name];
  const item: unknown = Array.isArray(items) ? items[0] : items;
  const constructor = typeof item === 'object' && item !== null ? item.constructor : Object;
  return constructor === Object ? undefined : (constructor as Type);
}

function typeOf(designed: unknown): Schema {
  if (designed === String) return { type: 'string' };
  if (designed === Number) return { type: 'number' };
  if (designed === Boolean) return { type: 'boolean' };
  return designed === Date ? DATE_TIME : {};
}

function enumOf(values: unknown): Schema {
  const list = Array.isArray(values) ? (values as unknown[]) : [];
  const types = new Set(list.map((value) => typeof value));
  const [type] = types;
  return { enum: list, ...(types.size === 1 && { type }) };
}

/** JSON Schema's patterns have no flags; without its flag, a pattern would promise something else. */
function patternOf(pattern: unknown): Schema {
  if (!(pattern instanceof RegExp)) return {};
  return /[ims]/.test(pattern.flags) ? {} : { pattern: pattern.source };
}
