import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { CurrentUser, ForAdmins, ForUsers } from '../auth/session.decorator.ts';
import type { SignedIn } from '../auth/signed-in.ts';
import { AdjustedListDto, AdjustmentDto, SequenceDto, SequenceListDto } from './sequence.dto.ts';
import { SequencesService } from './sequences.service.ts';

@Controller('api/sequences')
export class SequencesController {
  constructor(private readonly sequences: SequencesService) {}

  @ApiOperation({ summary: 'Sequences of all years, newest first' })
  @ApiOkResponse({ type: SequenceListDto })
  @ForUsers()
  @Get()
  async list(): Promise<SequenceListDto> {
    return { items: await this.sequences.list() };
  }

  @ApiOperation({ summary: 'Who moved a sequence on, how far and why; newest first' })
  @ApiOkResponse({ type: AdjustedListDto })
  @ForUsers()
  @Get('adjustments')
  async adjustments(): Promise<AdjustedListDto> {
    return { items: await this.sequences.adjustments() };
  }

  @ApiOperation({
    summary: "Move this year's sequence of a type on",
    description:
      'For instance past the numbers of a paper book. Never back. The numbers in between are never given out.',
  })
  @ApiOkResponse({ type: SequenceDto })
  @ApiNotFoundResponse({ description: 'There is no such document type' })
  @ApiConflictResponse({
    description: 'The sequence is at that number already, or the type takes no numbers',
  })
  @ForAdmins()
  @HttpCode(200)
  @Post('adjustments')
  adjust(@Body() adjustment: AdjustmentDto, @CurrentUser() admin: SignedIn): Promise<SequenceDto> {
    return this.sequences.adjust(admin, adjustment);
  }
}
