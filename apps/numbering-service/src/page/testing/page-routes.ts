import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { PageModule } from '../page.module.ts';

export interface PageRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

const UUID = '550e8400-e29b-41d4-a716-446655440000';

/** Every route the module has, so that none is forgotten. */
export function pageRoutes(): PageRoute[] {
  const controllers = Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, PageModule) as Type<object>[];
  return controllers.flatMap(routesOf);
}

function routesOf(controller: Type<object>): PageRoute[] {
  const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
  const handlers = Object.getOwnPropertyDescriptors(controller.prototype);
  return Object.values(handlers).flatMap(({ value }: { value?: unknown }) => {
    if (typeof value !== 'function') return [];
    const method = Reflect.getMetadata(METHOD_METADATA, value) as RequestMethod | undefined;
    if (method === undefined) return [];
    const path = `/${base}/${Reflect.getMetadata(PATH_METADATA, value) as string}`;
    return [
      {
        method: method === RequestMethod.POST ? 'POST' : 'GET',
        path: path
          .replaceAll(/\/+/g, '/')
          .replace(/(.)\/$/, '$1')
          .replace(':id', idFor(path)),
      },
    ];
  });
}

function idFor(path: string): string {
  return /numeros|faixas/.test(path) ? '1' : UUID;
}
