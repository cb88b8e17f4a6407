import { Operations, targetName } from '@malote/lanes';
import { type Caller, CurrentCaller, Scopes } from '@malote/service-kit';
import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { operatorOf } from './change.dto.ts';
import { TargetChangeDto, TargetsView, TargetView } from './target.dto.ts';
import { TargetsService } from './targets.service.ts';

@ApiTags('operations')
@Controller('api/ops/targets')
export class TargetsController {
  constructor(
    private readonly targets: TargetsService,
    private readonly operations: Operations,
  ) {}

  @ApiOperation({ summary: 'Where lanes deliver to, and whether they can' })
  @ApiOkResponse({ type: TargetsView })
  @Scopes('ops:read')
  @Get()
  async list(): Promise<TargetsView> {
    return { targets: await this.targets.list() };
  }

  @ApiOperation({ summary: 'Stops deliveries to a target, of every lane and in every replica' })
  @ApiOkResponse({ type: TargetView })
  @Scopes('ops:write')
  @HttpCode(200)
  @Post('pause')
  pause(@Body() body: TargetChangeDto, @CurrentCaller() caller: Caller): Promise<TargetView> {
    return this.change('pause', body, caller);
  }

  @ApiOperation({ summary: 'Lets deliveries to a paused target go on' })
  @ApiOkResponse({ type: TargetView })
  @Scopes('ops:write')
  @HttpCode(200)
  @Post('resume')
  resume(@Body() body: TargetChangeDto, @CurrentCaller() caller: Caller): Promise<TargetView> {
    return this.change('resume', body, caller);
  }

  private async change(
    action: 'pause' | 'resume',
    { target, reason }: TargetChangeDto,
    caller: Caller,
  ): Promise<TargetView> {
    const origin = targetName(target);
    await this.operations[action](origin, operatorOf(caller, reason));
    return this.targets.one(origin);
  }
}
