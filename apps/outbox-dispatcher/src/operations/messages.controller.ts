import { AppError } from '@malote/app-error';
import { ActionLog, type LaneStore, Operations } from '@malote/lanes';
import { UnitOfWork } from '@malote/persistence';
import { type Caller, CurrentCaller, pageOf, Scopes } from '@malote/service-kit';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { toActionView } from './action.dto.ts';
import { AFTER_A_DISCARD, ChangeDto, DiscardedView, operatorOf, ReplayedView } from './change.dto.ts';
import { toRowFilter } from './filter.dto.ts';
import { LaneParams, MessageParams } from './lane.dto.ts';
import { MessageDetailView, MessagesPage, MessagesQuery, valueOf } from './message.dto.ts';
import { MessagesRepository } from './messages.repository.ts';
import { OperatedLanes } from './operated-lanes.ts';

@ApiTags('operations')
@ApiNotFoundResponse({ description: 'There is no such lane or message' })
@Controller('api/ops/lanes/:lane/messages')
export class MessagesController {
  private readonly actions = new ActionLog();

  constructor(
    private readonly lanes: OperatedLanes,
    private readonly messages: MessagesRepository,
    private readonly operations: Operations,
    private readonly uow: UnitOfWork,
  ) {}

  @ApiOperation({ summary: 'The messages of a lane, newest first, without what they say' })
  @ApiOkResponse({ type: MessagesPage })
  @Scopes('ops:read')
  @Get()
  async list(@Param() { lane }: LaneParams, @Query() query: MessagesQuery): Promise<MessagesPage> {
    const store = this.lanes.get(lane);
    const { status, businessEntity, businessDocId, messageKey } = query;
    const filter = { ...toRowFilter(query), status, businessEntity, businessDocId, messageKey };
    return pageOf(
      `ops-messages:${lane}`,
      query,
      ({ id }) => id,
      (after, count) => this.uow.read((tx) => this.messages.list(tx, store, filter, after, count)),
    );
  }

  @ApiOperation({ summary: 'One message with what it says and what was done to it' })
  @ApiOkResponse({ type: MessageDetailView })
  @Scopes('ops:read')
  @Get(':id')
  one(@Param() { lane, id }: MessageParams): Promise<MessageDetailView> {
    const store = this.lanes.get(lane);
    return this.uow.read(async (tx) => {
      const { payload, ...message } = await this.messages.get(tx, store, id);
      const actions = await this.actions.naming(tx, [{ lane, id }], message.createdAt);
      return { ...message, payload: valueOf(payload), actions: actions.map(toActionView) };
    });
  }

  @ApiOperation({
    summary: 'Puts a dead or discarded message back with fresh attempts',
    description:
      'It waits for unfinished messages before it in its order; those behind it that a discard has let go on do not wait for it.',
  })
  @ApiOkResponse({ type: ReplayedView })
  @ApiConflictResponse({
    description: 'The message is neither dead nor discarded; `details.status` says what it is',
  })
  @Scopes('ops:write')
  @HttpCode(200)
  @Post(':id/replay')
  async replay(
    @Param() { lane, id }: MessageParams,
    @Body() { reason }: ChangeDto,
    @CurrentCaller() caller: Caller,
  ): Promise<ReplayedView> {
    const store = this.lanes.get(lane);
    const wasReplayed = await this.operations.replayOne(store.lane, id, operatorOf(caller, reason));
    if (!wasReplayed) throw await this.refusalOf('replayed', ['dead', 'discarded'], store, id);
    return { replayed: 1 };
  }

  @ApiOperation({
    summary: 'Takes a dead message out: it is not delivered any more',
    description: AFTER_A_DISCARD,
  })
  @ApiOkResponse({ type: DiscardedView })
  @ApiConflictResponse({ description: 'The message is not dead; `details.status` says what it is' })
  @Scopes('ops:write')
  @HttpCode(200)
  @Post(':id/discard')
  async discard(
    @Param() { lane, id }: MessageParams,
    @Body() { reason }: ChangeDto,
    @CurrentCaller() caller: Caller,
  ): Promise<DiscardedView> {
    const store = this.lanes.get(lane);
    const discarded = await this.operations.discard(store.lane, { ids: [id] }, operatorOf(caller, reason));
    if (discarded === 0) throw await this.refusalOf('discarded', ['dead'], store, id);
    return { discarded };
  }

  private async refusalOf(
    change: 'replayed' | 'discarded',
    allowed: readonly string[],
    store: LaneStore,
    id: string,
  ): Promise<AppError> {
    const { status } = await this.uow.read((tx) => this.messages.get(tx, store, id));
    const details = { status };
    if (allowed.includes(status)) {
      return new AppError('conflict', 'message-busy', `Somebody else is changing message ${id}`, { details });
    }
    const message = `Message ${id} of ${store.lane.name} is ${status}; only a ${allowed.join(' or ')} one can be ${change}`;
    return new AppError('conflict', 'message-not-dead', message, { details });
  }
}
