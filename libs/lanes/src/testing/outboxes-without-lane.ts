import { type EntityClass } from '@malote/persistence';
import { getMetadataArgsStorage } from 'typeorm';
import { type Lane } from '../lane/lane.ts';
import { OutboxEntity } from '../lane/outbox.entity.ts';

/** Outboxes among the entities of a domain that none of its lanes works off: what is written there would never leave. */
export function outboxesWithoutLane(entities: readonly EntityClass[], lanes: readonly Lane[]): string[] {
  return getMetadataArgsStorage()
    .tables.filter(({ target }) =>
      entities.some((entity) => entity === target && entity.prototype instanceof OutboxEntity),
    )
    .flatMap(({ name }) => (name === undefined || lanes.some(({ table }) => table === name) ? [] : [name]));
}
