import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
} from '@nestjs/swagger';
import { CurrentUser, ForAdmins } from '../auth/session.decorator.ts';
import type { SignedIn } from '../auth/signed-in.ts';
import {
  NewNumberRangeDto,
  NumberRangeDto,
  NumberRangeListDto,
  NumberRangePath,
  RangeChangeDto,
  toNumberRangeDto,
} from './number-range.dto.ts';
import { NumberRangesService } from './number-ranges.service.ts';

const UNKNOWN = { description: 'There is no such range' };

@ForAdmins()
@Controller('api/number-ranges')
export class NumberRangesController {
  constructor(private readonly ranges: NumberRangesService) {}

  @ApiOperation({ summary: 'Fiscal ranges' })
  @ApiOkResponse({ type: NumberRangeListDto })
  @Get()
  async list(): Promise<NumberRangeListDto> {
    return { items: (await this.ranges.list()).map(toNumberRangeDto) };
  }

  @ApiOperation({ summary: 'Open a fiscal range' })
  @ApiCreatedResponse({ type: NumberRangeDto })
  @ApiConflictResponse({ description: 'The issuer has this range already' })
  @Post()
  async create(@Body() range: NewNumberRangeDto, @CurrentUser() admin: SignedIn): Promise<NumberRangeDto> {
    return toNumberRangeDto(await this.ranges.create(admin, range));
  }

  @ApiOperation({
    summary: 'Stop giving out numbers of a range',
    description: 'Blocking it twice changes nothing.',
  })
  @ApiOkResponse({ type: NumberRangeDto })
  @ApiNotFoundResponse(UNKNOWN)
  @HttpCode(200)
  @Post(':id/block')
  async block(
    @Param() { id }: NumberRangePath,
    @Body() { reason }: RangeChangeDto,
    @CurrentUser() admin: SignedIn,
  ): Promise<NumberRangeDto> {
    return toNumberRangeDto(await this.ranges.block(admin, id, reason));
  }

  @ApiOperation({ summary: 'Give out numbers of a range again' })
  @ApiOkResponse({ type: NumberRangeDto })
  @ApiNotFoundResponse(UNKNOWN)
  @HttpCode(200)
  @Post(':id/unblock')
  async unblock(
    @Param() { id }: NumberRangePath,
    @Body() { reason }: RangeChangeDto,
    @CurrentUser() admin: SignedIn,
  ): Promise<NumberRangeDto> {
    return toNumberRangeDto(await this.ranges.unblock(admin, id, reason));
  }
}
