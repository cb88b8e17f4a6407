import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Body, Controller, Get, Module, Post, Query } from '@nestjs/common';
import { ApiConflictResponse, ApiNotFoundResponse, ApiProperty, type OpenAPIObject } from '@nestjs/swagger';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDateString,
  IsEnum,
  IsIn,
  IsInt,
  IsISO8601,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { Public } from '../auth/access.decorator.ts';
import { RefuseUnknownFields } from '../http/refuse-unknown-fields.decorator.ts';
import { emptySchemas } from '../testing/empty-schemas.ts';
import { ProbeConfig } from '../testing/probe.service.ts';
import { startTestService, type TestService } from '../testing/start-test-service.ts';

enum Color {
  Red = 'red',
  Blue = 'blue',
}

@RefuseUnknownFields()
class PartDto {
  @IsString()
  @MinLength(2)
  @MaxLength(9)
  name!: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => PartDto)
  inside?: PartDto;
}

class DocumentedDto {
  @IsISO8601()
  issuedAt!: string;
}

class BaseDto {
  @IsInt()
  @Min(1)
  @Max(9)
  version!: number;
}

class EverythingDto extends BaseDto {
  @Length(8, 8)
  @Matches(/^\d+$/)
  zipCode!: string;

  @Matches(/^[a-z]+$/i)
  word!: string;

  @IsNumber()
  price!: number;

  @IsBoolean()
  isPaid!: boolean;

  @IsIn(['a', 'b'])
  letter!: string;

  @IsEnum(Color)
  color!: Color;

  @IsDateString()
  dueAt!: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(3)
  @IsString({ each: true })
  @Length(1, 5, { each: true })
  tags!: string[];

  @ArrayMaxSize(2)
  @ValidateNested({ each: true })
  @Type(() => PartDto)
  parts!: PartDto[];

  @IsObject()
  @ValidateNested()
  @Type(() => DocumentedDto)
  document!: DocumentedDto;

  @IsObject()
  extra!: Record<string, unknown>;

  @ValidateIf((dto: EverythingDto) => dto.isPaid)
  @IsString()
  receipt?: string;

  @ApiProperty({ description: 'What the buyer calls it', maxLength: 4 })
  @IsString()
  @MaxLength(60)
  alias!: string;
}

class SearchQuery {
  @IsOptional()
  @IsIn(['open', 'closed'])
  state?: string;

  @IsInt()
  @Max(100)
  @Type(() => Number)
  limit!: number;
}

class ForgottenDto {
  name!: string;
}

@Public()
@Controller('things')
class ThingsController {
  @ApiConflictResponse({ description: 'There is one already' })
  @ApiNotFoundResponse({ description: 'A page', content: { 'text/html': {} } })
  @Post()
  create(@Body() thing: EverythingDto) {
    return { thing };
  }

  @Get()
  search(@Query() query: SearchQuery) {
    return { query };
  }
}

@Public()
@Controller('forgotten')
class ForgottenController {
  @Post()
  create(@Body() thing: ForgottenDto) {
    return { thing };
  }
}

@Module({})
class ThingsModule {}

let service: TestService;
let document: OpenAPIObject;

beforeEach(async () => {
  service = await startTestService({
    name: 'things',
    description: 'Takes everything a DTO can say.',
    configClass: ProbeConfig,
    module: () => ({ module: ThingsModule, controllers: [ThingsController, ForgottenController] }),
  });
  document = (await (await service.fetch('/openapi.json')).json()) as OpenAPIObject;
});

afterEach(() => service.close());

it('writes down what class-validator enforces', async () => {
  const part = { $ref: '#/components/schemas/PartDto' };

  expect(document.components?.schemas).toMatchObject({
    EverythingDto: {
      type: 'object',
      properties: {
        version: { type: 'integer', minimum: 1, maximum: 9 },
        zipCode: { type: 'string', minLength: 8, maxLength: 8, pattern: '^\\d+$' },
        word: { type: 'string' },
        price: { type: 'number' },
        isPaid: { type: 'boolean' },
        letter: { type: 'string', enum: ['a', 'b'] },
        color: { type: 'string', enum: ['red', 'blue'] },
        dueAt: { type: 'string', format: 'date-time' },
        tags: {
          type: 'array',
          minItems: 1,
          maxItems: 3,
          items: { type: 'string', minLength: 1, maxLength: 5 },
        },
        parts: { type: 'array', maxItems: 2, items: part },
        document: { $ref: '#/components/schemas/DocumentedDto' },
        extra: { type: 'object', additionalProperties: true },
        receipt: { type: 'string' },
      },
    },
    PartDto: {
      properties: { name: { type: 'string', minLength: 2, maxLength: 9 }, inside: part },
      required: ['name'],
      additionalProperties: false,
    },
    DocumentedDto: { properties: { issuedAt: { type: 'string', format: 'date-time' } } },
  });
  const everything = document.components?.schemas?.EverythingDto as Record<string, unknown>;
  expect(everything.required).not.toContain('receipt');
  expect(everything.required).toHaveLength(13);
  expect(everything).not.toHaveProperty('additionalProperties');
  expect(everything).not.toHaveProperty(['properties', 'word', 'pattern']);
  expect(await new Validator().validate({ ...document })).toMatchObject({ valid: true });
});

it('lets an explicit @ApiProperty win over the rules', () => {
  expect(document.components?.schemas?.EverythingDto).toMatchObject({
    properties: { alias: { type: 'string', description: 'What the buyer calls it', maxLength: 4 } },
  });
});

it('lists the fields of a query DTO as parameters', () => {
  expect(document.paths['/things']?.get?.parameters).toEqual([
    { name: 'state', in: 'query', required: false, schema: { type: 'string', enum: ['open', 'closed'] } },
    { name: 'limit', in: 'query', required: true, schema: { type: 'integer', maximum: 100 } },
  ]);
});

it('says of a failure that a route names that it is a problem, unless the route says otherwise', () => {
  const { responses } = document.paths['/things']?.post ?? {};
  expect(responses?.['409']).toEqual({
    description: 'There is one already',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  });
  expect(responses?.['404']).toMatchObject({ content: { 'text/html': {} } });
  expect(responses?.['404']).not.toHaveProperty(['content', 'application/problem+json']);
});

it('finds the DTO that nobody described', () => {
  expect(emptySchemas(document)).toEqual(['ForgottenDto']);
});
