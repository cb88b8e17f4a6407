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
import { type Lane, outboxLane } from './lane.ts';
import { checkLaneTable } from './lane-table.ts';
import { OutboxEntity } from './outbox.entity.ts';

const LIVE = "NextAttemptAt IS NOT NULL AND Status <> 'Sent'";
const ORDERED = "OrderKey IS NOT NULL AND Status <> 'Sent'";

/** What an index of a table is like; `undefined`: there is none. */
interface Indexes {
  readonly lane: string | undefined;
  readonly orderKey: string | undefined;
  readonly isMessageKeyUnique: boolean;
  readonly hasPurge: boolean;
}

const COMPLETE: Indexes = { lane: LIVE, orderKey: ORDERED, isMessageKeyUnique: true, hasPurge: true };

/** An outbox whose indexes were written by hand. */
function handMade(indexes: Partial<Indexes>) {
  const { lane, orderKey, isMessageKeyUnique, hasPurge } = { ...COMPLETE, ...indexes };
  class HandMadeEntity extends OutboxEntity {
    id!: string;
  }
  const resting = "NextAttemptAt IS NULL AND Status <> 'Sent' AND DiscardedAt IS NULL";
  const decorators = [
    Entity('TB_HAND_MADE'),
    Index(['status', 'id', 'createdAt', 'nextAttemptAt', 'discardedAt'], { where: resting }),
    Index(['messageKey'], { unique: isMessageKeyUnique, where: 'MessageKey IS NOT NULL' }),
  ];
  if (lane !== undefined)
    decorators.push(Index(['targetUrl', 'nextAttemptAt', 'id', 'status', 'createdAt'], { where: lane }));
  if (orderKey !== undefined) decorators.push(Index(['orderKey', 'id', 'discardedAt'], { where: orderKey }));
  if (hasPurge) decorators.push(Index(['status', 'createdAt']));
  for (const decorate of decorators) decorate(HandMadeEntity);
  PrimaryGeneratedColumn({ type: 'bigint' })(HandMadeEntity.prototype, 'id');
  return HandMadeEntity;
}

const HandMade = handMade({});
const options = { name: 'hand-made', entity: HandMade };
const ordinary = outboxLane(options);

class UndecoratedEntity extends OutboxEntity {}

describe('a lane that was declared in part', () => {
  it('is none when its table is complete', () => {
    for (const [lane, entities] of [
      [sampleLane, SAMPLE_TABLES.entities],
      [askableLane, SAMPLE_TABLES.entities],
      [ordinary, [HandMade]],
    ] as const) {
      expect(() => {
        checkLaneTable(lane, entities);
      }).not.toThrow();
    }
  });

  it('may have indexes that leave out rows of which nothing will ever come', () => {
    const lane: Lane = {
      ...ordinary,
      canBecomeDue: (row) => `${row}.TargetUrl <> '' AND ${row}.AskCount = 0`,
    };
    const table = handMade({ lane: `${LIVE} AND TargetUrl <> '' AND AskCount = 0` });

    expect(() => {
      checkLaneTable(lane, [table]);
    }).not.toThrow();
    expect(() => {
      checkLaneTable(ordinary, [table]);
    }).toThrow('no index for rows that are due');
  });

  it('needs no index to purge by when nothing is purged', () => {
    expect(() => {
      checkLaneTable({ ...ordinary, purges: false }, [handMade({ hasPurge: false })]);
    }).not.toThrow();
  });

  it.each([
    ['its entity was not given to the service', ordinary, [SampleOutboxEntity], 'no entity'],
    ['a column is missing', outboxLane({ ...options, payload: ['Series'] }), [HandMade], 'no Series'],
    [
      'it is askable and its table is not',
      { ...ordinary, doubt: askableLane.doubt },
      [HandMade],
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
      [handMade({ orderKey: undefined })],
      'no index for order keys: (OrderKey, Id, DiscardedAt) WHERE OrderKey IS NOT NULL AND Status',
    ],
    [
      'what is purged can be found only by reading all there is',
      ordinary,
      [handMade({ hasPurge: false })],
      'no index for what is purged: (Status, CreatedAt)',
    ],
    [
      'the index of its message keys lets one in twice',
      ordinary,
      [handMade({ isMessageKeyUnique: false })],
      'no unique index for message keys: (MessageKey) WHERE MessageKey IS NOT NULL',
    ],
    [
      'the filter of an index is about another column',
      ordinary,
      [handMade({ orderKey: "OrderKey IS NOT NULL AND OtherStatus <> 'Sent'" })],
      'no index for order keys',
    ],
    [
      'the filter of an index leaves out some of its rows',
      ordinary,
      [handMade({ lane: `${LIVE} AND 1 = 0` })],
      'no index for rows that are due',
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
