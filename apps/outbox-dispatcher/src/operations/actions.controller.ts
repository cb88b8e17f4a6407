import { ActionLog } from '@malote/lanes';
import { UnitOfWork } from '@malote/persistence';
import { pageOf, Scopes } from '@malote/service-kit';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ActionsPage, ActionsQuery, toActionView } from './action.dto.ts';

@ApiTags('operations')
@Controller('api/ops/actions')
export class ActionsController {
  private readonly log = new ActionLog();

  constructor(private readonly uow: UnitOfWork) {}

  @ApiOperation({ summary: 'Who did what and why, newest first' })
  @ApiOkResponse({ type: ActionsPage })
  @Scopes('ops:read')
  @Get()
  async list(@Query() query: ActionsQuery): Promise<ActionsPage> {
    return pageOf(
      'ops-actions',
      query,
      ({ id }) => id,
      async (after, count) => {
        const actions = await this.uow.read((tx) => this.log.list(tx, query, after, count));
        return actions.map(toActionView);
      },
    );
  }
}
