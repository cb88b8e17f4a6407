import { Outbox } from '@malote/outbox';
import { UnitOfWork } from '@malote/persistence';
import { type Caller, CurrentCaller, Scopes } from '@malote/service-kit';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { operatorOf, ReplayedView } from './change.dto.ts';
import { toRowFilter } from './filter.dto.ts';
import { LaneParams } from './lane.dto.ts';
import { MessagesRepository } from './messages.repository.ts';
import { OperatedLanes } from './operated-lanes.ts';
import { ReplayDto, ReplayFilterDto, ReplayPreview } from './replay.dto.ts';

const SHOWN = 20;

@ApiTags('operations')
@ApiNotFoundResponse({ description: 'There is no such lane' })
@Controller('api/ops/lanes/:lane')
export class ReplaysController {
  constructor(
    private readonly lanes: OperatedLanes,
    private readonly messages: MessagesRepository,
    private readonly outbox: Outbox,
    private readonly uow: UnitOfWork,
  ) {}

  @ApiOperation({ summary: 'What a replay with this filter would put back' })
  @ApiOkResponse({ type: ReplayPreview })
  @Scopes('ops:read')
  @HttpCode(200)
  @Post('replay-preview')
  async preview(@Param() { lane }: LaneParams, @Body() body: ReplayFilterDto): Promise<ReplayPreview> {
    const store = this.lanes.get(lane);
    const filter = toRowFilter(body);
    const matching = await this.outbox.previewReplay(store.lane, filter);
    const first = await this.uow.read((tx) => this.messages.firstDead(tx, store, filter, SHOWN));
    return { matching, first };
  }

  @ApiOperation({ summary: 'Puts back every dead message the filter selects, with fresh attempts' })
  @ApiOkResponse({ type: ReplayedView })
  @ApiConflictResponse({ description: 'Another number of messages matches than was expected' })
  @Scopes('ops:write')
  @HttpCode(200)
  @Post('replay')
  async replay(
    @Param() { lane }: LaneParams,
    @Body() { reason, expected, ...filter }: ReplayDto,
    @CurrentCaller() caller: Caller,
  ): Promise<ReplayedView> {
    const store = this.lanes.get(lane);
    const operator = operatorOf(caller, reason);
    return { replayed: await this.outbox.replay(store.lane, toRowFilter(filter), operator, expected) };
  }
}
