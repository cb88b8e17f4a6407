import { type DynamicModule, Module } from '@nestjs/common';
import { RETENTION_DAYS, TraceController } from './trace.controller.ts';
import { TraceRepository } from './trace.repository.ts';

/** The whole story of one document. Needs `PersistenceModule` and `OperationsModule`. */
@Module({})
export class TraceModule {
  /** Days the outboxes keep what was delivered: an ACK of an older ticket is not missing. */
  static forRetention(days: number): DynamicModule {
    return {
      module: TraceModule,
      controllers: [TraceController],
      providers: [TraceRepository, { provide: RETENTION_DAYS, useValue: days }],
    };
  }
}
