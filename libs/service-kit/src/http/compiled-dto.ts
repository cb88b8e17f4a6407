// Other projects compile this file without the declaration beside it.
// eslint-disable-next-line @typescript-eslint/triple-slash-reference
/// <reference path="./class-transformer-storage.d.ts" />
import type { Type } from '@nestjs/common';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';
import { validatedProperties } from '../docs/validation-schema.ts';
import { refusesUnknownFields } from './refuse-unknown-fields.decorator.ts';

type Rules = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>;
type Rule = Rules[number];
type Fields = Record<string, unknown>;
type Check = (value: unknown, dto: object) => boolean;

interface Property {
  readonly name: string;
  readonly conditions: readonly Check[];
  readonly checks: readonly Check[];
  readonly nested: CompiledDto | undefined;
}

const PLAIN_TO_CLASS = 0;

/**
 * The decorators of a DTO, read once: class-validator and class-transformer read them again for every request, which takes
 * longer than all the rest of it. It only ever says yes. Whatever it does not accept, or does not understand, goes the
 * libraries' own way, which also knows what to say.
 */
export class CompiledDto {
  static readonly #compiled = new WeakMap<Type, CompiledDto | 'too-special'>();
  readonly #properties = new Map<string, Property>();
  readonly #refusesUnknownFields: boolean;

  private constructor(
    private readonly type: Type<object>,
    properties: readonly Property[],
  ) {
    for (const property of properties) this.#properties.set(property.name, property);
    this.#refusesUnknownFields = refusesUnknownFields(type);
  }

  static of(type: Type<object>): CompiledDto | undefined {
    let compiled = CompiledDto.#compiled.get(type);
    if (compiled === undefined) {
      // A DTO that contains itself is left to the libraries.
      CompiledDto.#compiled.set(type, 'too-special');
      const properties = compile(type);
      compiled = properties ? new CompiledDto(type, properties) : 'too-special';
      CompiledDto.#compiled.set(type, compiled);
    }
    return compiled === 'too-special' ? undefined : compiled;
  }

  /** The DTO when every rule holds. */
  accept(given: object): object | undefined {
    const dto = new this.type() as Fields;
    for (const name of Object.keys(given)) {
      if (this.#properties.has(name)) dto[name] = (given as Fields)[name];
      else if (this.#refusesUnknownFields) return undefined;
    }
    for (const property of this.#properties.values()) if (!holds(property, dto)) return undefined;
    return dto;
  }
}

/** Replaces nested values by their DTOs on the way. */
function holds({ name, conditions, checks, nested }: Property, dto: Fields): boolean {
  const value = dto[name];
  for (const condition of conditions) {
    // Nothing of it is looked at then; nested values would have to be made DTOs all the same.
    if (!condition(value, dto)) return !nested || value === undefined || value === null;
  }
  for (const check of checks) if (!check(value, dto)) return false;
  if (!nested || value === undefined || value === null) return true;
  const made = Array.isArray(value)
    ? value.map((item: unknown) => acceptObject(nested, item))
    : acceptObject(nested, value);
  dto[name] = made;
  return Array.isArray(made) ? !made.includes(undefined) : made !== undefined;
}

function acceptObject(nested: CompiledDto, value: unknown): object | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return nested.accept(value);
}

/** Undefined when a decorator says something that is not understood here. */
function compile(type: Type<object>): Property[] | undefined {
  if (defaultMetadataStorage.getStrategy(type) !== 'none') return undefined;
  const storage = getMetadataStorage();
  const rules = storage.groupByPropertyName(storage.getTargetValidationMetadatas(type, '', false, false));
  const nestedTypes = new Map(validatedProperties(type).map(({ name, nested }) => [name, nested]));
  const properties: Property[] = [];
  for (const [name, own] of Object.entries(rules)) {
    const property = compileProperty(type, name, own, nestedTypes.get(name));
    if (!property) return undefined;
    properties.push(property);
  }
  return properties;
}

function compileProperty(
  type: Type<object>,
  name: string,
  rules: Rules,
  nestedType: Type | undefined,
): Property | undefined {
  const memory = defaultMetadataStorage;
  const isTransformed =
    memory.findTransformMetadatas(type, name, PLAIN_TO_CLASS).length > 0 ||
    memory.findExposeMetadata(type, name) !== undefined ||
    memory.findExcludeMetadata(type, name) !== undefined ||
    (memory.findTypeMetadata(type, name) !== undefined && !nestedType);
  const nested = nestedType && CompiledDto.of(nestedType as Type<object>);
  const isNested = rules.some((rule) => rule.type === 'nestedValidation');
  if (isTransformed || isNested !== (nested !== undefined)) return undefined;
  const conditions: Check[] = [];
  const checks: Check[] = [];
  for (const rule of rules) {
    if (rule.type === 'conditionalValidation') conditions.push(conditionOf(rule));
    else if (rule.type === 'customValidation') {
      const check = checkOf(rule, type.name);
      if (!check) return undefined;
      checks.push(check);
    } else if (rule.type !== 'nestedValidation' && rule.type !== 'whitelistValidation') return undefined;
  }
  return { name, conditions, checks, nested };
}

function conditionOf(rule: Rule): Check {
  const [condition] = rule.constraints as [(dto: object, value: unknown) => boolean];
  return (value, dto) => condition(dto, value);
}

function checkOf(
  { propertyName, constraintCls, constraints, each }: Rule,
  targetName: string,
): Check | undefined {
  const validators = getMetadataStorage().getTargetValidatorConstraints(constraintCls);
  if (validators.some(({ async }) => async)) return undefined;
  const instances = validators.map(({ instance }) => instance);
  // One for all calls: validators are synchronous and have no business with it afterwards.
  const args = { value: undefined as unknown, constraints, targetName, object: {}, property: propertyName };
  const one: Check = (value, object) => {
    args.value = value;
    args.object = object;
    for (const instance of instances) if (instance.validate(value, args) !== true) return false;
    return true;
  };
  return each
    ? (value, dto) => (Array.isArray(value) ? value.every((item) => one(item, dto)) : one(value, dto))
    : one;
}
