import { AppError } from '@malote/app-error';
import { UnitOfWork } from '@malote/persistence';
import { type Page, pageOf } from '@malote/service-kit';
import { Injectable } from '@nestjs/common';
import { type CounterpartyQuery, toFilters } from './counterparty-query.dto.ts';
import { CounterpartyRepository } from './counterparty.repository.ts';
import {
  type Counterparty,
  type CounterpartyWithPayload,
  type SavedCounterparty,
  type StoredCounterparty,
} from './counterparty.ts';

@Injectable()
export class CounterpartiesService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly counterparties: CounterpartyRepository,
  ) {}

  save(counterparty: Counterparty, rawPayload: string | null): Promise<SavedCounterparty> {
    return this.uow.run(async (tx) => {
      await this.counterparties.lock(tx, counterparty.businessDocId);
      return this.counterparties.save(tx, counterparty, rawPayload);
    });
  }

  async get(businessEntity: string, businessDocId: string): Promise<CounterpartyWithPayload> {
    const found = await this.uow.read((tx) => this.counterparties.find(tx, businessEntity, businessDocId));
    if (found) return found;
    throw new AppError(
      'not-found',
      'counterparty-not-found',
      'This business entity has no counterparty with this document id',
    );
  }

  list(query: CounterpartyQuery): Promise<Page<StoredCounterparty>> {
    return pageOf(
      'counterparties',
      query,
      ({ id }) => id,
      (after, count) => this.uow.read((tx) => this.counterparties.list(tx, toFilters(query), after, count)),
    );
  }
}
