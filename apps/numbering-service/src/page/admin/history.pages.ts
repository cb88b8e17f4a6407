import { UnitOfWork } from '@malote/persistence';
import { pageOf } from '@malote/service-kit';
import { Get, Query } from '@nestjs/common';
import { AdminActionsQuery, toAdminActionDto } from '../../admin-actions/admin-action.dto.ts';
import type { AdminActionEntity } from '../../admin-actions/admin-action.entity.ts';
import { AdminActions } from '../../admin-actions/admin-actions.ts';
import { CurrentUser } from '../../auth/session.decorator.ts';
import type { SignedIn } from '../../auth/signed-in.ts';
import { fieldsOf, readForm } from '../form-fields.ts';
import { type Html } from '../html.ts';
import { type PageAnswer, SeeOther } from '../page-answer.ts';
import { Pages } from '../page.decorator.ts';
import { historyPage } from '../views/history.view.ts';

@Pages('admin', 'admin')
export class HistoryPages {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly actions: AdminActions,
  ) {}

  @Get()
  first(): PageAnswer {
    return new SeeOther('/admin/usuarios');
  }

  @Get('historico')
  async list(@CurrentUser() admin: SignedIn, @Query() query: object): Promise<Html> {
    const page = readForm(AdminActionsQuery, fieldsOf(query, ['cursor']));
    const { items, next } = await pageOf<AdminActionEntity>(
      'admin-actions',
      page,
      ({ id }) => id,
      (before, count) => this.uow.read((tx) => this.actions.list(tx, before, count)),
    );
    return historyPage(admin, {
      actions: items.map(toAdminActionDto),
      next,
      isFirstPage: page.cursor === undefined,
    });
  }
}
