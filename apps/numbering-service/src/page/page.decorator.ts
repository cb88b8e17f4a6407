import { Public } from '@malote/service-kit';
import { applyDecorators, Controller, SetMetadata, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { NEEDED, PageGuard, type PageNeeds } from './page.guard.ts';
import { PageInterceptor } from './page.interceptor.ts';

/** A controller whose routes are pages. Partners' tokens do not count here: the guard goes by the session's cookie. */
export function Pages(needs: PageNeeds, path = ''): ClassDecorator {
  return applyDecorators(
    Controller(path),
    Public(),
    ApiExcludeController(),
    SetMetadata(NEEDED, needs),
    UseGuards(PageGuard),
    UseInterceptors(PageInterceptor),
  );
}

/** Where one page of a controller needs less than the others. */
export function Needs(needs: PageNeeds): MethodDecorator {
  return SetMetadata(NEEDED, needs);
}
