import { UnitOfWork } from '@malote/persistence';
import { pageOf } from '@malote/service-kit';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForAdmins } from '../auth/session.decorator.ts';
import { AdminActionsPage, AdminActionsQuery, toAdminActionDto } from './admin-action.dto.ts';
import { AdminActions } from './admin-actions.ts';

@ApiTags('users')
@ForAdmins()
@Controller('api/admin-actions')
export class AdminActionsController {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly actions: AdminActions,
  ) {}

  @ApiOperation({ summary: 'What admins did, newest first' })
  @ApiOkResponse({ type: AdminActionsPage })
  @Get()
  list(@Query() query: AdminActionsQuery): Promise<AdminActionsPage> {
    return pageOf(
      'admin-actions',
      query,
      ({ id }) => id,
      async (after, count) => {
        const actions = await this.uow.read((tx) => this.actions.list(tx, after, count));
        return actions.map(toAdminActionDto);
      },
    );
  }
}
