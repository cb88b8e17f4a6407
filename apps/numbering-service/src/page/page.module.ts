import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { NumbersModule } from '../numbers/numbers.module.ts';
import { HistoryPages } from './admin/history.pages.ts';
import { RangePages } from './admin/range.pages.ts';
import { SequencePages } from './admin/sequence.pages.ts';
import { TypePages } from './admin/type.pages.ts';
import { UserPages } from './admin/user.pages.ts';
import { AssetsController } from './assets/assets.controller.ts';
import { AuditCache } from './audit-cache.ts';
import { AuditPages } from './audit.pages.ts';
import { acceptForms } from './form-body.parser.ts';
import { NumberPages } from './number.pages.ts';
import { showProblemsAsPages } from './problem-pages.hook.ts';
import { RegisterPages } from './register.pages.ts';
import { SessionPages } from './session.pages.ts';

/** What clerks and admins see. It asks the same services as the API, and knows no rule of its own. */
@Module({
  imports: [NumbersModule],
  controllers: [
    AssetsController,
    SessionPages,
    NumberPages,
    RegisterPages,
    AuditPages,
    UserPages,
    TypePages,
    SequencePages,
    RangePages,
    HistoryPages,
  ],
  providers: [AuditCache],
})
export class PageModule implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost<FastifyAdapter>) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance();
    acceptForms(fastify);
    showProblemsAsPages(fastify);
  }
}
