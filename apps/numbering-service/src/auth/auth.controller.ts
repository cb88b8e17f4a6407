import { Public } from '@malote/service-kit';
import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiForbiddenResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LoginDto, MeDto, PasswordChangeDto, SessionDto, toMeDto, toSessionDto } from './auth.dto.ts';
import { bearerToken } from './bearer-token.ts';
import { sessionMissing } from './challenge.ts';
import { LoginService } from './login.service.ts';
import { PasswordService } from './password.service.ts';
import { refuseCrossSite } from './same-site.ts';
import { SessionCookie } from './session-cookie.ts';
import { CurrentUser, EvenBeforePasswordChange, ForUsers } from './session.decorator.ts';
import { Sessions } from './sessions.ts';
import type { IssuedSession, SignedIn } from './signed-in.ts';

const COOKIE = 'The refresh token comes and goes in a cookie that scripts cannot read.';
const THROTTLED = { description: 'Too many attempts have failed; `Retry-After` says how long to wait' };
const CROSS_SITE = { description: 'A browser sent this on behalf of another site' };

@ApiTags('session')
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly logins: LoginService,
    private readonly passwords: PasswordService,
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
  ) {}

  @ApiOperation({ summary: 'Log in', description: COOKIE })
  @ApiOkResponse({ type: SessionDto })
  @ApiUnauthorizedResponse({
    description: 'The e-mail address or the password is wrong, or the temporary password has expired',
  })
  @ApiForbiddenResponse(CROSS_SITE)
  @ApiTooManyRequestsResponse(THROTTLED)
  @Public()
  @HttpCode(200)
  @Post('login')
  async logIn(
    @Body() { email, password }: LoginDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionDto> {
    refuseCrossSite(request);
    const replacing = this.cookie.read(request);
    return this.answer(reply, await this.logins.logIn({ email, password, address: request.ip, replacing }));
  }

  @ApiOperation({ summary: 'Get the next access token', description: COOKIE })
  @ApiOkResponse({ type: SessionDto })
  @ApiUnauthorizedResponse({ description: 'There is no cookie, or its session has ended' })
  @ApiForbiddenResponse(CROSS_SITE)
  @Public()
  @HttpCode(200)
  @Post('refresh')
  async refresh(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionDto> {
    refuseCrossSite(request);
    const refreshToken = this.cookie.read(request);
    if (refreshToken === undefined) throw sessionMissing();
    return this.answer(reply, await this.sessions.refresh(refreshToken));
  }

  @ApiOperation({
    summary: 'Log out',
    description: 'Ends the session of the cookie and that of the access token, as far as there is one.',
  })
  @ApiNoContentResponse()
  @ApiForbiddenResponse(CROSS_SITE)
  @Public()
  @HttpCode(204)
  @Post('logout')
  async logOut(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    refuseCrossSite(request);
    await this.sessions.logOut({
      refreshToken: this.cookie.read(request),
      accessToken: bearerToken(request),
    });
    this.cookie.clear(reply);
  }

  @ApiOperation({
    summary: 'Change your password',
    description: 'The session goes on with new tokens; all others of yours end.',
  })
  @ApiOkResponse({ type: SessionDto })
  @ApiConflictResponse({ description: 'The password was changed or reset meanwhile' })
  @ApiTooManyRequestsResponse(THROTTLED)
  @ForUsers()
  @EvenBeforePasswordChange()
  @HttpCode(200)
  @Post('password')
  async changePassword(
    @CurrentUser() signedIn: SignedIn,
    @Body() change: PasswordChangeDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionDto> {
    return this.answer(reply, await this.passwords.change(signedIn, change));
  }

  @ApiOperation({ summary: 'Who you are' })
  @ApiOkResponse({ type: MeDto })
  @ForUsers()
  @EvenBeforePasswordChange()
  @Get('me')
  me(@CurrentUser() signedIn: SignedIn): MeDto {
    return toMeDto(signedIn);
  }

  private answer(reply: FastifyReply, session: IssuedSession): SessionDto {
    this.cookie.set(reply, session.tokens);
    return toSessionDto(session);
  }
}
