import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';

export const BEARER = 'bearer';
const ACCESS = 'malote:access';

export type Access = 'public' | readonly string[];

/** Opens a route to anyone without a token. What it checks instead (an HMAC, a session) is its own guard's business. */
export function Public(): MethodDecorator & ClassDecorator {
  return SetMetadata(ACCESS, 'public');
}

/** A route that needs a token with all of these scopes. */
export function Scopes(first: string, ...rest: string[]): MethodDecorator & ClassDecorator {
  const scopes = [first, ...rest];
  return applyDecorators(SetMetadata(ACCESS, scopes), ApiSecurity(BEARER, scopes));
}

/** What a route declares; a method's own word counts more than its class's. */
export function declaredAccess(handler: object, controller: object): Access | undefined {
  const own = Reflect.getMetadata(ACCESS, handler) as Access | undefined;
  return own ?? (Reflect.getMetadata(ACCESS, controller) as Access | undefined);
}
