import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { askableLane, sampleLane, SampleOutboxEntity } from '../testing/index.ts';
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

const halfDone = { name: 'half-done', table: 'TB_HALF_DONE' };

describe('a lane that was declared in part', () => {
  it('is none when its table is complete', () => {
    for (const lane of [sampleLane, askableLane]) {
      expect(() => {
        checkLaneTable(lane, [SampleOutboxEntity]);
      }).not.toThrow();
    }
  });

  it.each([
    ['its entity was not given to the service', outboxLane(halfDone), [SampleOutboxEntity], 'no entity'],
    ['a column is missing', outboxLane({ ...halfDone, payload: ['Series'] }), [HalfDoneEntity], 'no Series'],
    [
      'it is askable and its table is not',
      outboxLane({ ...halfDone, isAskable: true }),
      [HalfDoneEntity],
      'no InDoubtSince, AbsentSince, AskCount',
    ],
    [
      'an index is missing',
      outboxLane(halfDone),
      [HalfDoneEntity],
      'no index for order keys: (OrderKey, Id) WHERE OrderKey IS NOT NULL AND Status',
    ],
  ] as const)('keeps a service from starting when %s', (_, lane, entities, problem) => {
    expect(() => {
      checkLaneTable(lane, entities);
    }).toThrow(problem);
  });
});
