import type { DiscoveryService, MetadataScanner } from '@nestjs/core';

const ROUTE_PATH = 'path';

export interface RouteHandler {
  readonly controller: { readonly name: string; readonly prototype: object };
  readonly name: string;
  readonly handler: object;
}

/** Every method of every controller that answers a route. */
export function routeHandlers(discovery: DiscoveryService, scanner: MetadataScanner): RouteHandler[] {
  return discovery.getControllers().flatMap(({ metatype }) => {
    if (!metatype) return [];
    const controller = metatype as RouteHandler['controller'];
    const methods = controller.prototype as Record<string, object | undefined>;
    return scanner.getAllMethodNames(methods).flatMap((name) => {
      const handler = methods[name];
      return handler && Reflect.hasMetadata(ROUTE_PATH, handler) ? [{ controller, name, handler }] : [];
    });
  });
}
