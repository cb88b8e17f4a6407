import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { CurrentUser } from '../../auth/session.decorator.ts';
import type { SignedIn } from '../../auth/signed-in.ts';
import { NewUserDto, toUserDto, UserChangesDto, UserPath } from '../../users/user.dto.ts';
import type { UserEntity } from '../../users/user.entity.ts';
import { UsersService } from '../../users/users.service.ts';
import { fieldsOf, readForm } from '../form-fields.ts';
import { type Html } from '../html.ts';
import { rules } from '../problem-messages.ts';
import { type PageAnswer, SeeOther } from '../page-answer.ts';
import { Pages } from '../page.decorator.ts';
import { submit } from '../submit.ts';
import { EMPTY, type FormState } from '../views/form.ts';
import { temporaryPasswordPage, userPage, usersPage } from '../views/users.view.ts';

@Pages('admin', 'admin/usuarios')
export class UserPages {
  constructor(private readonly users: UsersService) {}

  @Get()
  list(@CurrentUser() admin: SignedIn, @Query() query: object): Promise<Html> {
    return this.renderList(admin, EMPTY, fieldsOf(query, ['feito']).feito);
  }

  @Post()
  create(@CurrentUser() admin: SignedIn, @Body() body: object): Promise<PageAnswer> {
    const values = fieldsOf(body, ['name', 'email', 'role']);
    return submit(
      rules.user,
      async () => {
        const { user, temporaryPassword } = await this.users.create(admin, readForm(NewUserDto, values));
        return temporaryPasswordPage(admin, toUserDto(user), temporaryPassword);
      },
      (problem) => this.renderList(admin, { values, problem }),
    );
  }

  @Get(':id')
  show(@CurrentUser() admin: SignedIn, @Param() { id }: UserPath, @Query() query: object): Promise<Html> {
    return this.render(admin, id, {}, fieldsOf(query, ['feito']).feito);
  }

  @Post(':id')
  change(
    @CurrentUser() admin: SignedIn,
    @Param() { id }: UserPath,
    @Body() body: object,
  ): Promise<PageAnswer> {
    const values = fieldsOf(body, ['name', 'role']);
    return submit(
      rules.user,
      async () => {
        // A name that was emptied is a wrong one, not one to keep.
        await this.users.update(admin, id, readForm(UserChangesDto, { name: '', ...values }));
        return new SeeOther(`/admin/usuarios/${id}?feito=usuario`);
      },
      (problem) => this.render(admin, id, { values: { name: '', ...values }, problem }),
    );
  }

  @Post(':id/senha')
  reset(@CurrentUser() admin: SignedIn, @Param() { id }: UserPath): Promise<PageAnswer> {
    return this.act(admin, id, async () => {
      const { user, temporaryPassword } = await this.users.resetPassword(admin, id);
      return temporaryPasswordPage(admin, toUserDto(user), temporaryPassword);
    });
  }

  @Post(':id/sessoes')
  endSessions(@CurrentUser() admin: SignedIn, @Param() { id }: UserPath): Promise<PageAnswer> {
    return this.act(admin, id, async () => {
      await this.users.endSessions(admin, id);
      return new SeeOther(`/admin/usuarios/${id}?feito=desconectado`);
    });
  }

  @Post(':id/desativar')
  deactivate(@CurrentUser() admin: SignedIn, @Param() { id }: UserPath): Promise<PageAnswer> {
    return this.act(admin, id, async () => {
      await this.users.deactivate(admin, id);
      return new SeeOther(`/admin/usuarios/${id}?feito=desativado`);
    });
  }

  @Post(':id/ativar')
  activate(@CurrentUser() admin: SignedIn, @Param() { id }: UserPath): Promise<PageAnswer> {
    return this.act(admin, id, async () => {
      await this.users.activate(admin, id);
      return new SeeOther(`/admin/usuarios/${id}?feito=ativado`);
    });
  }

  private act(admin: SignedIn, id: string, work: () => Promise<PageAnswer>): Promise<PageAnswer> {
    return submit({}, work, (problem) => this.render(admin, id, { problem }));
  }

  private async renderList(admin: SignedIn, state: FormState, done?: string): Promise<Html> {
    return usersPage(admin, { users: (await this.users.list()).map(toUserDto), state, done });
  }

  private async render(
    admin: SignedIn,
    id: string,
    { values, problem }: Partial<FormState>,
    done?: string,
  ): Promise<Html> {
    const user = await this.users.find(id);
    return userPage(admin, {
      user: toUserDto(user),
      state: { values: values ?? valuesOf(user), problem },
      done,
    });
  }
}

function valuesOf({ name, role }: UserEntity): FormState['values'] {
  return { name, role };
}
