import { AppError } from '@malote/app-error';
import { HttpProblem } from '@malote/service-kit';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionInvalid, sessionMissing } from '../auth/challenge.ts';
import { refuseCrossSite } from '../auth/same-site.ts';
import { SessionCookie } from '../auth/session-cookie.ts';
import { Sessions } from '../auth/sessions.ts';
import type { SignedIn } from '../auth/signed-in.ts';

export const NEEDED = 'malote:page-needs';

/** `session`: even before a temporary password was replaced. `clerk`: everybody else who is logged in. */
export type PageNeeds = 'nothing' | 'session' | 'clerk' | 'admin';

/** Goes by the cookie, which a browser sends whoever asked for it: what changes anything must come from our own pages. */
@Injectable()
export class PageGuard implements CanActivate {
  constructor(
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const needs = this.reflector.getAllAndOverride<PageNeeds>(NEEDED, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (request.method !== 'GET' && request.method !== 'HEAD') refuseCrossSite(request);
    const refreshToken = this.cookie.read(request);
    const signedIn = await this.resume(refreshToken, http.getResponse<FastifyReply>());
    request.signedIn = signedIn;
    if (signedIn) request.caller = { subject: signedIn.id, scopes: new Set(), claims: {} };
    if (signedIn) refuseUnless(needs, signedIn);
    else if (needs !== 'nothing') throw refreshToken === undefined ? sessionMissing() : sessionInvalid();
    return true;
  }

  private async resume(refreshToken: string | undefined, reply: FastifyReply): Promise<SignedIn | undefined> {
    if (refreshToken === undefined) return undefined;
    try {
      const { signedIn, renewed } = await this.sessions.resume(refreshToken);
      if (renewed) this.cookie.set(reply, renewed);
      return signedIn;
    } catch (error) {
      // A session that is over is none.
      if (error instanceof HttpProblem && error.status === 401) return undefined;
      throw error;
    }
  }
}

function refuseUnless(needs: PageNeeds, signedIn: SignedIn): void {
  if (needs === 'nothing' || needs === 'session') return;
  if (signedIn.mustChangePassword) {
    throw new AppError('forbidden', 'password-change-required', 'The password must be changed first');
  }
  if (needs === 'admin' && signedIn.role !== 'admin') {
    throw new AppError('forbidden', 'admins-only', 'Only admins may do this');
  }
}
