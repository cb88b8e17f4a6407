import { PersistenceModule } from '@malote/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import type { FiscalEmitterConfig } from './fiscal-emitter.config.ts';

@Module({})
export class AppModule {
  static register(config: FiscalEmitterConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [PersistenceModule.forRoot({ ...config.persistence, entities: [] })],
    };
  }
}
