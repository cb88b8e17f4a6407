import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

export const PROBLEM_SCHEMA: Schemas = {
  Problem: {
    type: 'object',
    description: 'RFC 9457 problem details',
    required: ['type', 'title', 'status', 'detail', 'code'],
    properties: {
      type: { type: 'string', format: 'uri', examples: ['urn:malote:problem:validation-failed'] },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      instance: { type: 'string', description: 'The path that was asked for' },
      code: { type: 'string', description: 'Stable; the last part of `type`' },
      requestId: { type: 'string' },
      traceId: { type: 'string' },
      details: { type: 'object', additionalProperties: true },
      errors: { type: 'array', items: { $ref: '#/components/schemas/FieldProblem' } },
    },
  },
  FieldProblem: {
    type: 'object',
    required: ['pointer', 'code', 'message'],
    properties: {
      pointer: { type: 'string', description: 'RFC 6901 pointer', examples: ['/addresses/0/zipCode'] },
      code: { type: 'string' },
      message: { type: 'string' },
    },
  },
};
