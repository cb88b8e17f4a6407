import type { INestApplication, Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ApiProperty, type ApiPropertyOptions, DECORATORS } from '@nestjs/swagger';
import { routeHandlers } from '../auth/route-handlers.ts';
import { type Schema, type ValidatedProperty, validatedProperties } from './validation-schema.ts';

/**
 * Tells the generator what it would learn from Nest's compiler plugin, which our builds do not run, or from an `@ApiProperty` on
 * every field, which would say everything twice. Returns the DTOs that were described.
 */
export function describeDtos(app: INestApplication): ReadonlySet<Type> {
  const described = new Set<Type>();
  for (const { controller, name } of routeHandlers(app.get(DiscoveryService), app.get(MetadataScanner))) {
    const types = Reflect.getMetadata('design:paramtypes', controller.prototype, name) as
      unknown[] | undefined;
    for (const type of types ?? []) if (typeof type === 'function') describeDto(type as Type, described);
  }
  return described;
}

function describeDto(dto: Type, described: Set<Type>): void {
  const properties = validatedProperties(dto);
  if (properties.length === 0 || described.has(dto)) return;
  described.add(dto);
  for (const property of properties) {
    describeProperty(dto.prototype as object, property);
    if (property.nested) describeDto(property.nested, described);
  }
}

/** What somebody wrote into an `@ApiProperty` counts more; the type it adds by itself does not. */
function describeProperty(prototype: object, { name, isRequired, schema, nested }: ValidatedProperty): void {
  const written = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, prototype, name) as
    { readonly type?: unknown } | undefined;
  const { type, ...rest } = written ?? {};
  const isChosen = type !== undefined && type !== Reflect.getMetadata('design:type', prototype, name);
  const options = {
    required: isRequired,
    ...(nested ? reference(nested, schema) : schema),
    ...rest,
    ...(isChosen && { type }),
  };
  ApiProperty(options as ApiPropertyOptions)(prototype, name);
}

/** The generator makes a component of a class; of an array of them only the limits of the array remain to be said. */
function reference(type: Type, { type: kind, items, ...limits }: Schema): object {
  return kind === 'array' && items ? { ...limits, type, isArray: true } : { type };
}
