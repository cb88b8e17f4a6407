import { PersistenceModule } from '@malote/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import type { NumberingServiceConfig } from './numbering-service.config.ts';

@Module({})
export class AppModule {
  static register(config: NumberingServiceConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [PersistenceModule.forRoot({ ...config.persistence, entities: [] })],
    };
  }
}
