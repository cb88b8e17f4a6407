import { type Lane, outboxLane } from '@malote/lanes';
import { type SqlParameters } from '@malote/persistence';
import { FunctionalAckOutboxEntity } from '@malote/tickets';
import { ChaosAskableEntity } from './askable-outbox.entity.ts';
import { type ChaosMessage } from './message.ts';

/** A lane the storm can rage on. */
export interface StormLane {
  readonly lane: Lane;
  /** Business columns of its table. */
  readonly columnsOf: (message: ChaosMessage) => SqlParameters;
}

const ordinary: StormLane = {
  lane: outboxLane({ name: 'functional-ack', entity: FunctionalAckOutboxEntity, payload: ['BusinessDocId'] }),
  columnsOf: ({ orderKey }) => ({ BusinessDocId: orderKey }),
};

const askable: StormLane = {
  lane: outboxLane({ name: 'chaos-askable', entity: ChaosAskableEntity }),
  columnsOf: () => ({}),
};

export function stormLane(isAskable: boolean): StormLane {
  return isAskable ? askable : ordinary;
}
