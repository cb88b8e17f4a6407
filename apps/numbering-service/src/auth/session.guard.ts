import { AppError } from '@malote/app-error';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { bearerToken } from './bearer-token.ts';
import { sessionMissing } from './challenge.ts';
import { Sessions } from './sessions.ts';
import type { SignedIn } from './signed-in.ts';

export const NEEDED_ROLE = 'malote:needed-role';
export const EARLY = 'malote:even-before-password-change';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on routes that need a session. */
    signedIn?: SignedIn | undefined;
  }
}

/** Goes by the access token alone: what no browser sends by itself, no other site can have it send. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly sessions: Sessions,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const places = [context.getHandler(), context.getClass()];
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const token = bearerToken(request);
    if (token === undefined) throw sessionMissing();
    const signedIn = (request.signedIn ??= await this.sessions.authenticate(token));
    // The log of requests names callers by their subject.
    request.caller = { subject: signedIn.id, scopes: new Set(), claims: {} };
    if (signedIn.mustChangePassword && !this.reflector.getAllAndOverride<boolean>(EARLY, places)) {
      throw new AppError('forbidden', 'password-change-required', 'The password must be changed first');
    }
    refuseWithoutRole(signedIn, this.reflector.getAllAndOverride<SignedIn['role']>(NEEDED_ROLE, places));
    return true;
  }
}

function refuseWithoutRole({ role }: SignedIn, needed: SignedIn['role']): void {
  if (needed === 'admin' && role !== 'admin') {
    throw new AppError('forbidden', 'admins-only', 'Only admins may do this');
  }
}
