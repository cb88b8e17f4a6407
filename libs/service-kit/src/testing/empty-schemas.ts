import type { OpenAPIObject } from '@nestjs/swagger';

/** The components of a document that say nothing: DTOs whose fields carry neither validation rules nor `@ApiProperty`. */
export function emptySchemas({ components }: OpenAPIObject): string[] {
  return Object.entries(components?.schemas ?? {})
    .filter(([, schema]) => !('$ref' in schema) && schema.type === 'object')
    .filter(([, schema]) => 'properties' in schema && Object.keys(schema.properties ?? {}).length === 0)
    .map(([name]) => name);
}
