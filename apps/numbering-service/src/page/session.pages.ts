import { Body, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LoginDto, PasswordChangeDto } from '../auth/auth.dto.ts';
import { LoginService } from '../auth/login.service.ts';
import { PasswordService } from '../auth/password.service.ts';
import { CurrentUser } from '../auth/session.decorator.ts';
import { SessionCookie } from '../auth/session-cookie.ts';
import { Sessions } from '../auth/sessions.ts';
import type { SignedIn } from '../auth/signed-in.ts';
import { fieldsOf, readForm } from './form-fields.ts';
import { type Html } from './html.ts';
import { rules } from './problem-messages.ts';
import { type PageAnswer, SeeOther } from './page-answer.ts';
import { Needs, Pages } from './page.decorator.ts';
import { returnPath } from './return-path.ts';
import { submit } from './submit.ts';
import { EMPTY, type FormState } from './views/form.ts';
import { loginPage, passwordPage } from './views/session.view.ts';

@Pages('nothing')
export class SessionPages {
  constructor(
    private readonly logins: LoginService,
    private readonly passwords: PasswordService,
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
  ) {}

  @Get('entrar')
  login(@Query() query: object, @Req() { signedIn }: FastifyRequest): PageAnswer {
    const { voltar, feito: done, aviso: ended } = fieldsOf(query, ['voltar', 'feito', 'aviso']);
    const returnTo = returnPath(voltar);
    return signedIn ? new SeeOther(returnTo) : loginPage({ state: EMPTY, returnTo, done, ended });
  }

  @Post('entrar')
  logIn(
    @Body() body: object,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageAnswer> {
    const { voltar, ...typed } = fieldsOf(body, ['email', 'password', 'voltar']);
    const returnTo = returnPath(voltar);
    return submit(
      rules.login,
      async () => {
        const { email, password } = readForm(LoginDto, typed);
        const replacing = this.cookie.read(request);
        const session = await this.logins.logIn({ email, password, address: request.ip, replacing });
        this.cookie.set(reply, session.tokens);
        return new SeeOther(session.signedIn.mustChangePassword ? '/senha' : returnTo);
      },
      (problem) => loginPage({ state: { values: typed, problem }, returnTo }),
    );
  }

  @Post('sair')
  async logOut(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageAnswer> {
    await this.sessions.logOut({ refreshToken: this.cookie.read(request), accessToken: undefined });
    this.cookie.clear(reply);
    return new SeeOther('/entrar?feito=saiu');
  }

  @Needs('session')
  @Get('senha')
  password(@CurrentUser() user: SignedIn): Promise<Html> {
    return this.renderPassword(user, EMPTY);
  }

  @Needs('session')
  @Post('senha')
  changePassword(
    @Body() body: object,
    @CurrentUser() user: SignedIn,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageAnswer> {
    return submit(
      rules.password,
      async () => {
        const change = readForm(PasswordChangeDto, fieldsOf(body, ['currentPassword', 'newPassword']));
        const { tokens } = await this.passwords.change(user, change);
        this.cookie.set(reply, tokens);
        return new SeeOther('/?feito=senha');
      },
      (problem) => this.renderPassword(user, { values: {}, problem }),
    );
  }

  private async renderPassword(user: SignedIn, state: FormState): Promise<Html> {
    return passwordPage(user, state, await this.passwords.needsCurrent(user));
  }
}
