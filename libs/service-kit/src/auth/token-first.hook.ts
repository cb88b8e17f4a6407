import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA as ROUTE_CONFIG } from '@nestjs/platform-fastify/constants.js';
import { declaredAccess } from './access.decorator.ts';
import { presentedToken } from './bearer-token.ts';
import { type RouteHandler, routeHandlers } from './route-handlers.ts';

/**
 * Refuses a request without a token before its body is read: a stranger shall neither have us parse a body nor learn what we
 * think of it. Whether a token counts is still the guard's to say. Must be called before the routes are registered.
 */
export function askForTokensFirst(app: NestFastifyApplication): void {
  markRoutes(routeHandlers(app.get(DiscoveryService), app.get(MetadataScanner)));
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.needsToken) presentedToken(request);
    done();
  });
}

/** Controllers may inherit one handler and declare different access; where it is public for any, the guard decides alone. */
function markRoutes(routes: readonly RouteHandler[]): void {
  const open = new Set(
    routes
      .filter((route) => declaredAccess(route.handler, route.controller) === 'public')
      .map(({ handler }) => handler),
  );
  for (const { handler } of routes) {
    const config = Reflect.getMetadata(ROUTE_CONFIG, handler) as object | undefined;
    Reflect.defineMetadata(ROUTE_CONFIG, { ...config, needsToken: !open.has(handler) }, handler);
  }
}
