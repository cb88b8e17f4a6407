import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { declaredAccess } from './access.decorator.ts';

const ROUTE_PATH = 'path';

/** Refuses to boot when a route says neither who may call it nor that anyone may. */
@Injectable()
export class AccessDeclaredCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    const undeclared = this.discovery
      .getControllers()
      .flatMap(({ metatype }) => (metatype ? this.undeclaredRoutes(metatype) : []));
    if (undeclared.length === 0) return;
    throw new Error(`Routes without @Scopes() or @Public(): ${undeclared.join(', ')}`);
  }

  private undeclaredRoutes(controller: { name: string; prototype?: unknown }): string[] {
    const methods = controller.prototype as Record<string, object>;
    return this.scanner
      .getAllMethodNames(methods)
      .filter((name) => {
        const handler = methods[name];
        return handler && Reflect.hasMetadata(ROUTE_PATH, handler) && !declaredAccess(handler, controller);
      })
      .map((name) => `${controller.name}.${name}`);
  }
}
