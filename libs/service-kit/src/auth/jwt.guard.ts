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

  /** A promise only where there is something to wait for: most requests come with a token that was verified before. */
  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access = declaredAccess(context.getHandler(), context.getClass());
    if (access === 'public') return true;
    if (!access) throw new AppError('forbidden', 'route-closed', 'This route declares no access');

    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const token = presentedToken(request);
    const known = this.verified.get(token, Date.now());
    if (!known) return this.verify(context, request, token).then((caller) => mayPass(caller, access));
    request.caller = known;
    return mayPass(known, access);
  }

  override handleRequest<TUser>(error: unknown, user: TUser | false | null, info: unknown): TUser {
    if (error || !user) throw tokenRefused(error ?? info);
    return user;
  }

  private async verify(context: ExecutionContext, request: FastifyRequest, token: string): Promise<Caller> {
    await super.canActivate(context);
    const { caller } = request;
    if (!caller) throw tokenRefused(undefined);
    this.verified.add(token, caller, Date.now());
    return caller;
  }
}

function mayPass(caller: Caller, scopes: readonly string[]): true {
  if (!scopes.every((scope) => caller.scopes.has(scope))) throw scopeMissing(scopes);
  return true;
}
