import { Log } from '@malote/service-kit';
import { Get, Query, StreamableFile } from '@nestjs/common';
import { CurrentUser } from '../auth/session.decorator.ts';
import type { SignedIn } from '../auth/signed-in.ts';
import { Clock } from '../clock.ts';
import { DocumentTypesService } from '../document-types/document-types.service.ts';
import { toNumberDto } from '../numbers/number.dto.ts';
import { NumbersService } from '../numbers/numbers.service.ts';
import { registerFile } from '../numbers/register-csv.ts';
import { RegisterFilter, RegisterQuery } from '../numbers/register.query.ts';
import { NumberingServiceConfig } from '../numbering-service.config.ts';
import { UsersService } from '../users/users.service.ts';
import { fieldsOf, readForm } from './form-fields.ts';
import { type Html } from './html.ts';
import { rules } from './problem-messages.ts';
import { type PageAnswer } from './page-answer.ts';
import { Pages } from './page.decorator.ts';
import { submit } from './submit.ts';
import { type FormState } from './views/form.ts';
import { registerPage, type RegisterView } from './views/register.view.ts';

const FILTERS = ['documentTypeId', 'from', 'to', 'userId', 'state', 'text'] as const;

@Pages('clerk')
export class RegisterPages {
  constructor(
    private readonly numbers: NumbersService,
    private readonly types: DocumentTypesService,
    private readonly users: UsersService,
    private readonly clock: Clock,
    private readonly config: NumberingServiceConfig,
    private readonly log: Log,
  ) {}

  @Get('registro')
  list(@CurrentUser() user: SignedIn, @Query() query: object): Promise<PageAnswer> {
    const values = fieldsOf(query, [...FILTERS, 'cursor']);
    return submit(
      rules.register,
      async () => {
        const { items, next } = await this.numbers.list(readForm(RegisterQuery, values));
        return this.render(user, { values }, { numbers: items.map(toNumberDto), next });
      },
      (problem) => this.render(user, { values, problem }, { numbers: [], next: undefined }),
    );
  }

  @Get('registro.csv')
  export(@Query() query: object): Promise<StreamableFile> {
    return registerFile(this.numbers.all(readForm(RegisterFilter, fieldsOf(query, FILTERS))), this.log);
  }

  private async render(
    user: SignedIn,
    state: FormState,
    found: Pick<RegisterView, 'numbers' | 'next'>,
  ): Promise<Html> {
    const [types, people] = await Promise.all([this.types.list(), this.users.list()]);
    return registerPage(user, {
      ...found,
      state,
      types: types.map(({ id, name }) => ({ value: id, label: name })),
      people: people.map(({ id, name }) => ({ value: id, label: name })),
      office: this.config.officeName,
      now: this.clock.now(),
    });
  }
}
