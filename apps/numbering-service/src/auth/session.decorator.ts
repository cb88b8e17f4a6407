import { Public } from '@malote/service-kit';
import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { ApiForbiddenResponse, ApiSecurity, ApiUnauthorizedResponse } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { EARLY, NEEDED_ROLE, SessionGuard } from './session.guard.ts';
import type { SignedIn } from './signed-in.ts';

type RouteDecorator = MethodDecorator & ClassDecorator;

/** Open to everybody who is logged in. */
export function ForUsers(): RouteDecorator {
  return withSession('user', 'The password must be changed first');
}

export function ForAdmins(): RouteDecorator {
  return withSession('admin', 'Not an admin, or the password must be changed first');
}

/** Also before a temporary password has been replaced. Everything else waits until then. */
export function EvenBeforePasswordChange(): RouteDecorator {
  return SetMetadata(EARLY, true);
}

/** Who calls a route that declares `@ForUsers` or `@ForAdmins`. */
export const CurrentUser = createParamDecorator((_data: unknown, context: ExecutionContext): SignedIn => {
  const { signedIn } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!signedIn) throw new Error('@CurrentUser() is used on a route that needs no session');
  return signedIn;
});

/** Partners' tokens do not count here, nor clerks' tokens elsewhere. */
function withSession(role: SignedIn['role'], forbidden: string): RouteDecorator {
  return applyDecorators(
    Public(),
    SetMetadata(NEEDED_ROLE, role),
    UseGuards(SessionGuard),
    ApiSecurity('bearer'),
    ApiUnauthorizedResponse({ description: 'The access token is missing, or its session has ended' }),
    ApiForbiddenResponse({ description: forbidden }),
  );
}
