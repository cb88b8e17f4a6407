import { AppError } from '@malote/app-error';
import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { declaredAccess } from './access.decorator.ts';
import { presentedToken } from './bearer-token.ts';
import type { Caller } from './caller.ts';
import { scopeMissing, tokenRefused } from './challenge.ts';
import { VerifiedTokens } from './verified-tokens.ts';

/** Every route needs a token with the scopes it declares, unless it is `@Public()`. */
@Injectable()
export class JwtGuard extends AuthGuard() {
  private readonly verified = new VerifiedTokens();

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = declaredAccess(context.getHandler(), context.getClass());
    if (access === 'public') return true;
    if (!access) throw new AppError('forbidden', 'route-closed', 'This route declares no access');

    const caller = await this.authenticate(context);
    if (!access.every((scope) => caller.scopes.has(scope))) throw scopeMissing(access);
    return true;
  }

  override handleRequest<TUser>(error: unknown, user: TUser | false | null, info: unknown): TUser {
    if (error || !user) throw tokenRefused(error ?? info);
    return user;
  }

  private async authenticate(context: ExecutionContext): Promise<Caller> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const token = presentedToken(request);
    const known = this.verified.get(token, Date.now());
    if (known) {
      request.caller = known;
      return known;
    }
    await super.canActivate(context);
    const { caller } = request;
    if (!caller) throw tokenRefused(undefined);
    this.verified.add(token, caller, Date.now());
    return caller;
  }
}
