import { type Page, Scopes, traceParentOf } from '@malote/service-kit';
import { Body, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiConflictResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { DocumentDto, type TicketDto, TicketPageDto, toDocumentDto } from './ticket.dto.ts';
import { DocumentPath, TicketQuery } from './ticket.query.ts';
import { ShipmentTicketDto } from './shipment-ticket.dto.ts';
import { TicketReceiptDto } from './ticket-receipt.dto.ts';
import { TicketsService } from './tickets.service.ts';

@Controller('api/tickets')
export class TicketsController {
  constructor(private readonly tickets: TicketsService) {}

  @ApiOperation({
    summary: 'Receive a shipment ticket',
    description:
      'Idempotent by (businessEntity, businessDocId, phaseCode), compared without regard to case: the same content again changes ' +
      'nothing; other content corrects a ticket that waits or has failed. Phase 6 is delivered after phase 15 of its document.',
  })
  @ApiOkResponse({ type: TicketReceiptDto })
  @ApiConflictResponse({ description: 'The ticket is being or has been processed, and the content differs' })
  @Scopes('tickets:write')
  @HttpCode(200)
  @Post()
  receive(@Body() ticket: ShipmentTicketDto, @Req() request: FastifyRequest): Promise<TicketReceiptDto> {
    const { rawText: rawPayload = '' } = request;
    return this.tickets.receive({ ticket, rawPayload, traceParent: traceParentOf(request) }, new Date());
  }

  @ApiOperation({ summary: 'Tickets, newest first' })
  @ApiOkResponse({ type: TicketPageDto })
  @Scopes('tickets:read')
  @Get()
  list(@Query() query: TicketQuery): Promise<Page<TicketDto>> {
    return this.tickets.list(query);
  }

  @ApiOperation({ summary: 'All phases of one document' })
  @ApiOkResponse({ type: DocumentDto })
  @ApiNotFoundResponse({ description: 'No ticket of this document has arrived' })
  @Scopes('tickets:read')
  @Get(':businessEntity/:businessDocId')
  async find(@Param() { businessEntity, businessDocId }: DocumentPath): Promise<DocumentDto> {
    return toDocumentDto(await this.tickets.findDocument(businessEntity, businessDocId));
  }
}
