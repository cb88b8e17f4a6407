import {
  CounterpartyAddressEntity,
  CounterpartyEntity,
  CounterpartyFiscalReferenceEntity,
} from '@malote/counterparties';
import { PersistenceModule } from '@malote/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { CounterpartiesController } from './counterparties/counterparties.controller.ts';
import { CounterpartiesService } from './counterparties/counterparties.service.ts';
import { CounterpartyRepository } from './counterparties/counterparty.repository.ts';
import type { CounterpartyApiConfig } from './counterparty-api.config.ts';

const entities = [CounterpartyEntity, CounterpartyAddressEntity, CounterpartyFiscalReferenceEntity];

@Module({})
export class AppModule {
  static register(config: CounterpartyApiConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [PersistenceModule.forRoot({ ...config.persistence, entities })],
      controllers: [CounterpartiesController],
      providers: [CounterpartiesService, CounterpartyRepository],
    };
  }
}
