import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { declaredAccess } from './access.decorator.ts';
import { routeHandlers } from './route-handlers.ts';

/** Refuses to boot when a route says neither who may call it nor that anyone may. */
@Injectable()
export class AccessDeclaredCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    const undeclared = routeHandlers(this.discovery, this.scanner)
      .filter(({ handler, controller }) => !declaredAccess(handler, controller))
      .map(({ name, controller }) => `${controller.name}.${name}`);
    if (undeclared.length === 0) return;
    throw new Error(`Routes without @Scopes() or @Public(): ${undeclared.join(', ')}`);
  }
}
