import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import {
  askableLane,
  SAMPLE_TABLES,
  SampleAskableEntity,
  sampleLane,
  SampleOutboxEntity,
} from '../testing/index.ts';
import { outboxLane } from './lane.ts';
import { checkLaneTable } from './lane-table.ts';
import { OutboxEntity } from './outbox.entity.ts';

@Entity('TB_HALF_DONE')
@Index('IX_TB_HALF_DONE_Lane', ['targetUrl', 'nextAttemptAt', 'id', 'status', 'createdAt'], {
  where: "NextAttemptAt IS NOT NULL AND Status <> 'Sent'",
})
@Index('IX_TB_HALF_DONE_Resting', ['status', 'id', 'createdAt', 'nextAttemptAt', 'discardedAt'], {
  where: "NextAttemptAt IS NULL AND Status <> 'Sent' AND DiscardedAt IS NULL",
})
@Index('UX_TB_HALF_DONE_MessageKey', ['messageKey'], { unique: true, where: 'MessageKey IS NOT NULL' })
class HalfDoneEntity extends OutboxEntity {
  @PrimaryGeneratedColumn({ type: 'bigint' })
  id!: string;
}

class UndecoratedEntity extends OutboxEntity {}

const halfDone = { name: 'half-done', entity: HalfDoneEntity };
const ordinary = outboxLane(halfDone);

describe('a lane that was declared in part', () => {
  it('is none when its table is complete', () => {
    for (const lane of [sampleLane, askableLane]) {
      expect(() => {
        checkLaneTable(lane, SAMPLE_TABLES.entities);
      }).not.toThrow();
    }
  });

  it.each([
    ['its entity was not given to the service', ordinary, [SampleOutboxEntity], 'no entity'],
    ['a column is missing', outboxLane({ ...halfDone, payload: ['Series'] }), [HalfDoneEntity], 'no Series'],
    [
      'it is askable and its table is not',
      { ...ordinary, doubt: askableLane.doubt },
      [HalfDoneEntity],
      'no InDoubtSince, AbsentSince, AskCount',
    ],
    [
      'its table is askable and it is not',
      { ...askableLane, doubt: null },
      [SampleAskableEntity],
      'TB_SAMPLE_ASKABLE remembers what is in doubt, and the lane does not',
    ],
    [
      'an index is missing',
      ordinary,
      [HalfDoneEntity],
      'no index for order keys: (OrderKey, Id) WHERE OrderKey IS NOT NULL AND Status',
    ],
  ] as const)('keeps a service from starting when %s', (_, lane, entities, problem) => {
    expect(() => {
      checkLaneTable(lane, entities);
    }).toThrow(problem);
  });

  it('has a table', () => {
    expect(() => outboxLane({ name: 'lost', entity: UndecoratedEntity })).toThrow(
      'UndecoratedEntity is not decorated with @OutboxTable',
    );
  });
});

describe('an outbox', () => {
  it('is askable when its entity is', () => {
    expect([sampleLane.doubt, askableLane.doubt?.inDoubtSince]).toEqual([null, 'InDoubtSince']);
  });
});
