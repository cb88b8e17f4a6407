import { Operations } from '@malote/lanes';
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
import { AFTER_A_DISCARD, DiscardedView, operatorOf, ReplayedView } from './change.dto.ts';
import { DeadChangeDto, DeadFilterDto, DeadPreview } from './dead-messages.dto.ts';
import { toRowFilter } from './filter.dto.ts';
import { LaneParams } from './lane.dto.ts';
import { MessagesRepository } from './messages.repository.ts';
import { OperatedLanes } from './operated-lanes.ts';

const SHOWN = 20;
const NOT_AS_EXPECTED = { description: 'Another number of messages matches than was expected' };

@ApiTags('operations')
@ApiNotFoundResponse({ description: 'There is no such lane' })
@Controller('api/ops/lanes/:lane')
export class DeadMessagesController {
  constructor(
    private readonly lanes: OperatedLanes,
    private readonly messages: MessagesRepository,
    private readonly operations: Operations,
    private readonly uow: UnitOfWork,
  ) {}

  @ApiOperation({
    summary: 'The dead messages a filter selects: what a replay would put back, or a discard take out',
  })
  @ApiOkResponse({ type: DeadPreview })
  @Scopes('ops:read')
  @HttpCode(200)
  @Post('dead-preview')
  async preview(@Param() { lane }: LaneParams, @Body() body: DeadFilterDto): Promise<DeadPreview> {
    const store = this.lanes.get(lane);
    const filter = toRowFilter(body);
    const matching = await this.operations.countDead(store.lane, filter);
    const first = await this.uow.read((tx) => this.messages.firstDead(tx, store, filter, SHOWN));
    return { matching, first };
  }

  @ApiOperation({
    summary: 'Puts back every dead message the filter selects, with fresh attempts',
    description: 'Messages that were discarded are not among them; each of those can be replayed by its id.',
  })
  @ApiOkResponse({ type: ReplayedView })
  @ApiConflictResponse(NOT_AS_EXPECTED)
  @Scopes('ops:write')
  @HttpCode(200)
  @Post('replay')
  async replay(
    @Param() { lane }: LaneParams,
    @Body() { reason, expected, ...filter }: DeadChangeDto,
    @CurrentCaller() caller: Caller,
  ): Promise<ReplayedView> {
    const store = this.lanes.get(lane);
    const operator = operatorOf(caller, reason);
    return { replayed: await this.operations.replay(store.lane, toRowFilter(filter), operator, expected) };
  }

  @ApiOperation({
    summary: 'Takes every dead message the filter selects out: it is not delivered any more',
    description: AFTER_A_DISCARD,
  })
  @ApiOkResponse({ type: DiscardedView })
  @ApiConflictResponse(NOT_AS_EXPECTED)
  @Scopes('ops:write')
  @HttpCode(200)
  @Post('discard')
  async discard(
    @Param() { lane }: LaneParams,
    @Body() { reason, expected, ...filter }: DeadChangeDto,
    @CurrentCaller() caller: Caller,
  ): Promise<DiscardedView> {
    const store = this.lanes.get(lane);
    const operator = operatorOf(caller, reason);
    return { discarded: await this.operations.discard(store.lane, toRowFilter(filter), operator, expected) };
  }
}
