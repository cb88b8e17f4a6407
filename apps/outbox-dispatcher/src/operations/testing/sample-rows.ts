import { OutboxActionEntity } from '@malote/lanes';
import { type SampleAskableEntity, SampleOutboxEntity } from '@malote/lanes/testing';
import { type UnitOfWork } from '@malote/persistence';
import { type EntityTarget } from 'typeorm';

export const TARGET = 'https://gateway.example/hook';

type Row = Partial<SampleOutboxEntity & SampleAskableEntity>;

/** What a test puts into the sample lane, and what it finds there afterwards. */
export class SampleRows {
  constructor(
    private readonly engine: { readonly uow: UnitOfWork },
    private readonly entity: EntityTarget<SampleOutboxEntity> = SampleOutboxEntity,
  ) {}

  async add(more: Row = {}): Promise<string> {
    const row = { payloadJson: '{}', targetUrl: TARGET, nextAttemptAt: new Date(), ...more };
    const { identifiers } = await this.engine.uow.run((tx) => tx.entities.insert(this.entity, row));
    return String(identifiers[0]?.id);
  }

  /** One that gave up, unless told otherwise. */
  addDead(more: Row = {}): Promise<string> {
    const dead = { status: 'Error', nextAttemptAt: null, attemptCount: 5, lastError: 'HTTP 422' } as const;
    return this.add({ ...dead, ...more });
  }

  all(): Promise<SampleOutboxEntity[]> {
    return this.engine.uow.read((tx) => tx.entities.find(this.entity, { order: { id: 'ASC' } }));
  }

  async statuses(): Promise<string[]> {
    return (await this.all()).map(({ status }) => status);
  }

  actions(): Promise<OutboxActionEntity[]> {
    return this.engine.uow.read((tx) => tx.entities.find(OutboxActionEntity, { order: { id: 'ASC' } }));
  }
}
