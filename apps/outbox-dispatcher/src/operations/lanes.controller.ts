import {
  type LaneStore,
  laneTarget,
  Operations,
  type Operator,
  type TargetReport,
  TargetStore,
} from '@malote/lanes';
import { UnitOfWork } from '@malote/persistence';
import { type Caller, CurrentCaller, Scopes } from '@malote/service-kit';
import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ChangeDto, operatorOf } from './change.dto.ts';
import { LaneParams, LanesView, LaneView, toLanesView, toLaneView } from './lane.dto.ts';
import { OperatedLanes } from './operated-lanes.ts';

@ApiTags('operations')
@Controller('api/ops/lanes')
export class LanesController {
  private readonly targets: TargetStore;

  constructor(
    private readonly lanes: OperatedLanes,
    private readonly operations: Operations,
    private readonly uow: UnitOfWork,
  ) {
    this.targets = new TargetStore(uow);
  }

  @ApiOperation({ summary: 'Every lane with what waits in it' })
  @ApiOkResponse({ type: LanesView })
  @Scopes('ops:read')
  @Get()
  async list(): Promise<LanesView> {
    const reports = await this.reports();
    const views: LaneView[] = [];
    for (const store of this.lanes.all()) views.push(await this.view(store, reports));
    return toLanesView(views);
  }

  @ApiOperation({ summary: 'Stops a lane in every replica; what is under way is finished or handed back' })
  @ApiOkResponse({ type: LaneView })
  @ApiNotFoundResponse({ description: 'There is no such lane' })
  @Scopes('ops:write')
  @HttpCode(200)
  @Post(':lane/pause')
  pause(
    @Param() { lane }: LaneParams,
    @Body() { reason }: ChangeDto,
    @CurrentCaller() caller: Caller,
  ): Promise<LaneView> {
    return this.change('pause', lane, operatorOf(caller, reason));
  }

  @ApiOperation({ summary: 'Lets a paused lane go on' })
  @ApiOkResponse({ type: LaneView })
  @ApiNotFoundResponse({ description: 'There is no such lane' })
  @Scopes('ops:write')
  @HttpCode(200)
  @Post(':lane/resume')
  resume(
    @Param() { lane }: LaneParams,
    @Body() { reason }: ChangeDto,
    @CurrentCaller() caller: Caller,
  ): Promise<LaneView> {
    return this.change('resume', lane, operatorOf(caller, reason));
  }

  private async change(action: 'pause' | 'resume', lane: string, operator: Operator): Promise<LaneView> {
    const store = this.lanes.get(lane);
    await this.operations[action](laneTarget(store.lane.name), operator);
    return this.view(store, await this.reports());
  }

  private async view(store: LaneStore, reports: readonly TargetReport[]): Promise<LaneView> {
    const name = laneTarget(store.lane.name);
    const paused = reports.find(({ target }) => target === name)?.pause ?? null;
    return toLaneView(store.lane.name, await store.depth(), paused);
  }

  private reports(): Promise<TargetReport[]> {
    return this.uow.read((tx) => this.targets.reports(tx));
  }
}
