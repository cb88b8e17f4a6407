import { idempotencyKeyFrom } from '@malote/idempotency';
import { type Caller, CurrentCaller, Scopes, traceParentOf } from '@malote/service-kit';
import { Body, Controller, Headers, HttpCode, Post, Req } from '@nestjs/common';
import { ApiAcceptedResponse, ApiConflictResponse, ApiHeader, ApiOperation } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { FunctionalAckDto, FunctionalAckReceiptDto } from './functional-ack.dto.ts';
import { FunctionalAcksService } from './functional-acks.service.ts';

@Controller('api/functional-ack')
export class FunctionalAcksController {
  constructor(private readonly acks: FunctionalAcksService) {}

  @ApiOperation({
    summary: 'Enqueue a functional ACK (v3)',
    description:
      'Sent to the gateway as it came. The same Idempotency-Key, or without one the same content, is one ACK; it is remembered ' +
      'for as long as sent messages are kept.',
  })
  @ApiHeader({ name: 'Idempotency-Key', required: false })
  @ApiAcceptedResponse({ type: FunctionalAckReceiptDto })
  @ApiConflictResponse({ description: 'The Idempotency-Key was used for another ACK' })
  @Scopes('functional-acks:write')
  @HttpCode(202)
  @Post()
  enqueue(
    @Body() ack: FunctionalAckDto,
    @Headers('idempotency-key') header: string | undefined,
    @Req() request: FastifyRequest,
    @CurrentCaller() { subject }: Caller,
  ): Promise<FunctionalAckReceiptDto> {
    const idempotencyKey = idempotencyKeyFrom(header);
    return this.acks.enqueue({
      ack,
      rawPayload: request.rawText ?? '',
      traceParent: traceParentOf(request),
      subject,
      idempotencyKey,
    });
  }
}
