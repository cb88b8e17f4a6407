import { compareWithEntities } from '@malote/persistence/testing';
import { expect, it } from '@jest/globals';
import { FunctionalAckOutboxEntity } from './functional-ack-outbox.entity.ts';
import { TicketInterfaceEntity } from './ticket-interface.entity.ts';
import { TicketReturnOutboxEntity } from './ticket-return-outbox.entity.ts';

it('describes the tables as the T-SQL scripts create them', async () => {
  const entities = [TicketInterfaceEntity, FunctionalAckOutboxEntity, TicketReturnOutboxEntity];
  expect(await compareWithEntities(entities)).toEqual([]);
});
