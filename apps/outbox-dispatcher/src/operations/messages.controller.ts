import { AppError } from '@malote/app-error';
import { ActionLog, type LaneStore, Outbox } from '@malote/outbox';
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
import { ChangeDto, operatorOf, ReplayedView } from './change.dto.ts';
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
    private readonly outbox: Outbox,
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

  @ApiOperation({ summary: 'Puts a dead message back with fresh attempts' })
  @ApiOkResponse({ type: ReplayedView })
  @ApiConflictResponse({ description: 'The message is not dead' })
  @Scopes('ops:write')
  @HttpCode(200)
  @Post(':id/replay')
  async replay(
    @Param() { lane, id }: MessageParams,
    @Body() { reason }: ChangeDto,
    @CurrentCaller() caller: Caller,
  ): Promise<ReplayedView> {
    const store = this.lanes.get(lane);
    const replayed = await this.outbox.replay(store.lane, { ids: [id] }, operatorOf(caller, reason));
    if (replayed === 0) throw await this.whyNotReplayed(store, id);
    return { replayed };
  }

  @ApiOperation({
    summary: 'Takes a dead message out of its order, so that those behind it go on without it',
  })
  @ApiOkResponse({ type: MessageDetailView })
  @ApiConflictResponse({ description: 'The message blocks nobody' })
  @Scopes('ops:write')
  @HttpCode(200)
  @Post(':id/release')
  async release(
    @Param() params: MessageParams,
    @Body() { reason }: ChangeDto,
    @CurrentCaller() caller: Caller,
  ): Promise<MessageDetailView> {
    const store = this.lanes.get(params.lane);
    await this.uow.read((tx) => this.messages.get(tx, store, params.id));
    await this.outbox.release(store.lane, params.id, operatorOf(caller, reason));
    return this.one(params);
  }

  private async whyNotReplayed(store: LaneStore, id: string): Promise<AppError> {
    const { status } = await this.uow.read((tx) => this.messages.get(tx, store, id));
    const details = { status };
    if (status === 'dead') {
      return new AppError('conflict', 'message-busy', `Somebody else is changing message ${id}`, { details });
    }
    const message = `Message ${id} of ${store.lane.name} is ${status}; only a dead one can be replayed`;
    return new AppError('conflict', 'message-not-dead', message, { details });
  }
}
