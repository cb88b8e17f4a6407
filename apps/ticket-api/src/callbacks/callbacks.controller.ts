import { Public } from '@malote/service-kit';
import { Body, Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import {
  ApiHeader,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { CallbackDto, CallbackReceiptDto } from './callback.dto.ts';
import { CallbacksService } from './callbacks.service.ts';
import { SignedByGateway } from './signed-by-gateway.guard.ts';

@Public()
@UseGuards(SignedByGateway)
@Controller('api/tickets/callback')
export class CallbacksController {
  constructor(private readonly callbacks: CallbacksService) {}

  @ApiOperation({
    summary: 'Take a callback of the gateway',
    description:
      'Signed as Standard Webhooks says, with the secret in GATEWAY_CALLBACK_SECRET; no token is needed.',
  })
  @ApiHeader({ name: 'webhook-id', required: true })
  @ApiHeader({ name: 'webhook-timestamp', required: true })
  @ApiHeader({ name: 'webhook-signature', required: true })
  @ApiOkResponse({ type: CallbackReceiptDto })
  @ApiUnauthorizedResponse({ description: 'The signature is missing, wrong or older than five minutes' })
  @ApiNotFoundResponse({ description: 'There is no such ticket' })
  @HttpCode(200)
  @Post()
  receive(
    @Body() callback: CallbackDto,
    @Req() { rawText = '' }: FastifyRequest,
  ): Promise<CallbackReceiptDto> {
    return this.callbacks.receive(callback, rawText);
  }
}
