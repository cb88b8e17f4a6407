import { outboxesWithoutLane } from '@malote/lanes/testing';
import { compareWithEntities } from '@malote/persistence/testing';
import { describe, expect, it } from '@jest/globals';
import { TICKET_ENTITIES } from './ticket-entities.ts';
import { functionalAck, TICKET_LANES } from './ticket-lanes.ts';

describe('the tables of tickets', () => {
  it('are as the T-SQL scripts create them', async () => {
    expect(await compareWithEntities([...TICKET_ENTITIES])).toEqual([]);
  });

  it('are worked off, each outbox by its lane', () => {
    expect(outboxesWithoutLane(TICKET_ENTITIES, TICKET_LANES)).toEqual([]);
    const others = TICKET_LANES.filter((lane) => lane !== functionalAck);
    expect(outboxesWithoutLane(TICKET_ENTITIES, others)).toEqual(['TB_FUNCTIONAL_ACK_OUTBOX']);
  });
});
