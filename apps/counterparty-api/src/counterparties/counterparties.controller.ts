import { Scopes } from '@malote/service-kit';
import { Body, Controller, Get, HttpCode, Post, Query, Req } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { CounterpartiesService } from './counterparties.service.ts';
import { CounterpartyQuery } from './counterparty-query.dto.ts';
import {
  CounterpartyDetailResponse,
  CounterpartyPageResponse,
  SavedCounterpartyResponse,
  toDetailResponse,
  toResponse,
  toSavedResponse,
} from './counterparty-response.dto.ts';
import { CounterpartyDto, toCounterparty } from './counterparty.dto.ts';

@ApiTags('counterparties')
@Controller('api/counterparties')
export class CounterpartiesController {
  constructor(private readonly counterparties: CounterpartiesService) {}

  @Scopes('counterparties:write')
  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Save a counterparty',
    description:
      'Creates the document, or replaces the one with the same `businessDocId`: every field, all addresses and all fiscal ' +
      'references, in one transaction. What is left out or null becomes null. Names may be written in any case. Fields ' +
      'unknown to us are not refused and stay in the raw payload, which is kept exactly as it came. A value that does not ' +
      'fit is refused with a pointer to it, never cut. Sending the same document again is harmless.',
  })
  @ApiOkResponse({ type: SavedCounterpartyResponse, description: 'What was saved' })
  async save(
    @Body() counterparty: CounterpartyDto,
    @Req() request: FastifyRequest,
  ): Promise<SavedCounterpartyResponse> {
    const rawPayload = request.rawText ?? null;
    return toSavedResponse(await this.counterparties.save(toCounterparty(counterparty), rawPayload));
  }

  @Scopes('counterparties:read')
  @Get()
  @ApiOperation({
    summary: 'Read one counterparty, or list them',
    description:
      'With `businessDocID`: that document with its raw payload. Without: the counterparties of the business entity in the ' +
      'order they were first saved, page by page; `next` of a page is the `cursor` of the one after it and goes with the ' +
      'same filters. Names of parameters may be written in any case.',
  })
  @ApiExtraModels(CounterpartyDetailResponse, CounterpartyPageResponse)
  @ApiOkResponse({
    description: 'The document, or a page of the list',
    schema: {
      oneOf: [CounterpartyDetailResponse, CounterpartyPageResponse].map((type) => ({
        $ref: getSchemaPath(type),
      })),
    },
  })
  @ApiNotFoundResponse({
    description: 'The business entity has no such document',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  })
  async read(
    @Query() query: CounterpartyQuery,
  ): Promise<CounterpartyDetailResponse | CounterpartyPageResponse> {
    const { businessEntity, businessDocID } = query;
    if (businessDocID !== undefined) {
      return toDetailResponse(await this.counterparties.get(businessEntity, businessDocID));
    }
    const page = await this.counterparties.list(query);
    return { ...page, items: page.items.map(toResponse) };
  }
}
