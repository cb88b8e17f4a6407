import { DocumentNumbers } from '@malote/numbering';
import { UnitOfWork } from '@malote/persistence';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { DocumentTypesController } from '../document-types/document-types.controller.ts';
import { DocumentTypesService } from '../document-types/document-types.service.ts';
import { NumberRangesController } from '../ranges/number-ranges.controller.ts';
import { NumberRangesService } from '../ranges/number-ranges.service.ts';
import { SequencesController } from '../sequences/sequences.controller.ts';
import { SequencesService } from '../sequences/sequences.service.ts';
import { NumberMetrics } from './number-metrics.ts';
import { NumbersController } from './numbers.controller.ts';
import { NumbersService } from './numbers.service.ts';
import { RegisterRepository } from './register.repository.ts';

const SERVICES = [DocumentTypesService, NumbersService, SequencesService, NumberRangesService];

@Module({
  imports: [AuthModule],
  controllers: [NumbersController, DocumentTypesController, SequencesController, NumberRangesController],
  providers: [
    ...SERVICES,
    RegisterRepository,
    NumberMetrics,
    {
      provide: DocumentNumbers,
      useFactory: (uow: UnitOfWork) => new DocumentNumbers(uow),
      inject: [UnitOfWork],
    },
  ],
  exports: SERVICES,
})
export class NumbersModule {}
