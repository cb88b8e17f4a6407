import type { INestApplication, Type } from '@nestjs/common';
import { DocumentBuilder, getSchemaPath, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { BEARER } from '../auth/access.decorator.ts';
import { refusesUnknownFields } from '../http/refuse-unknown-fields.decorator.ts';
import { PROBLEM_TYPE } from '../problem/problem.ts';
import { describeDtos } from './describe-dtos.ts';
import { PROBLEM_SCHEMA } from './problem-schema.ts';

export interface ServiceInfo {
  readonly name: string;
  readonly description: string;
}

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

export function buildOpenApi(app: INestApplication, info: ServiceInfo): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(info.name)
    .setDescription(info.description)
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, BEARER)
    .build();
  const dtos = describeDtos(app);
  const document = SwaggerModule.createDocument(app, config);
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...PROBLEM_SCHEMA },
  };
  for (const dto of dtos) if (refusesUnknownFields(dto)) closeSchema(document, dto);
  for (const path of Object.values(document.paths)) documentProblems(path);
  return document;
}

function closeSchema(document: OpenAPIObject, dto: Type): void {
  const schema = document.components?.schemas?.[getSchemaPath(dto).replace(/^.*\//, '')];
  if (schema && !('$ref' in schema)) schema.additionalProperties = false;
}

/** Every route can end in a problem; those of the guard are spelled out because clients act on them. */
function documentProblems(path: PathItem): void {
  for (const method of METHODS) {
    const operation = path[method];
    if (!operation) continue;
    const responses: Operation['responses'] = { default: problemResponse('Any other problem') };
    if (operation.requestBody || operation.parameters?.length) {
      responses['400'] = problemResponse('The request is not valid; `errors` names the fields');
    }
    if (operation.security?.length) {
      responses['401'] = problemResponse('The bearer token is missing or does not count');
      responses['403'] = problemResponse('The token lacks a scope');
    }
    responses['503'] = problemResponse('The service cannot answer now; `Retry-After` says when to ask again');
    for (const [status, response] of Object.entries(operation.responses)) {
      if (Number(status) >= 400 && response && !('$ref' in response) && !response.content) {
        responses[status] = { ...response, ...problemResponse(response.description) };
      } else responses[status] = response;
    }
    operation.responses = responses;
  }
}

function problemResponse(description: string) {
  return { description, content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } } };
}
