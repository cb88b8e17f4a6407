import { type LaneStore, Outbox, type TargetReport, TargetStore } from '@malote/outbox';
import { UnitOfWork } from '@malote/persistence';
import { type Caller, CurrentCaller, Scopes } from '@malote/service-kit';
import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ChangeDto, operatorOf } from './change.dto.ts';
import { LaneParams, LanesView, LaneView, toLanesView, toLaneView } from './lane.dto.ts';
import { OperatedLanes, pauseName } from './operated-lanes.ts';

@ApiTags('operations')
@Scopes('ops:read')
@Controller('api/ops/lanes')
export class LanesController {
  private readonly targets: TargetStore;

  constructor(
    private readonly lanes: OperatedLanes,
    private readonly outbox: Outbox,
    private readonly uow: UnitOfWork,
  ) {
    this.targets = new TargetStore(uow);
  }

  @ApiOperation({ summary: 'Every lane with what waits in it' })
  @ApiOkResponse({ type: LanesView })
  @Get()
  async list(): Promise<LanesView> {
    const reports = await this.reports();
    const views: LaneView[] = [];
    for (const store of this.lanes.all()) views.push(await this.view(store, reports));
    return toLanesView(views);
  }

  @ApiOperation({ summary: 'Stops a lane in every replica; what is under way is finished or handed back' })
  @ApiOkResponse({ type: LaneView })
  @Scopes('ops:write')
  @HttpCode(200)
  @Post(':lane/pause')
  async pause(
    @Param() { lane }: LaneParams,
    @Body() { reason }: ChangeDto,
    @CurrentCaller() caller: Caller,
  ): Promise<LaneView> {
    const store = this.lanes.get(lane);
    await this.outbox.pause(pauseName(store.lane), operatorOf(caller, reason));
    return this.view(store, await this.reports());
  }

  @ApiOperation({ summary: 'Lets a paused lane go on' })
  @ApiOkResponse({ type: LaneView })
  @Scopes('ops:write')
  @HttpCode(200)
  @Post(':lane/resume')
  async resume(
    @Param() { lane }: LaneParams,
    @Body() { reason }: ChangeDto,
    @CurrentCaller() caller: Caller,
  ): Promise<LaneView> {
    const store = this.lanes.get(lane);
    await this.outbox.resume(pauseName(store.lane), operatorOf(caller, reason));
    return this.view(store, await this.reports());
  }

  private async view(store: LaneStore, reports: readonly TargetReport[]): Promise<LaneView> {
    const paused = reports.find(({ target }) => target === pauseName(store.lane))?.pause ?? null;
    return toLaneView(store.lane.name, await store.depth(), paused);
  }

  private reports(): Promise<TargetReport[]> {
    return this.uow.read((tx) => this.targets.reports(tx));
  }
}
