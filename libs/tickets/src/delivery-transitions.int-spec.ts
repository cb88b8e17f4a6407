import {
  DELIVERY_TRANSITIONS,
  type Lane,
  type LaneMessage,
  LaneStore,
  Operations,
  Outbox,
  type Settlement,
} from '@malote/lanes';
import { describeEachEngine } from '@malote/persistence/testing';
import { eventsOf, statesOf } from '@malote/state-machine';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { TicketInterfaceEntity } from './ticket-interface.entity.ts';
import { functionalAck, gatewaySend, ticketReturn } from './ticket-lanes.ts';
import { type ReturnStatus } from './ticket-status.ts';
import { TICKET_TABLES, ticketRow } from './testing/index.ts';

type Event = ReturnType<typeof eventsOf<typeof DELIVERY_TRANSITIONS>>[number];
/** Both end in `Error`: one is tried again by itself. */
type Way = Exclude<Event, 'fail'> | 'fail and retry' | 'fail for good';

const TARGET = 'https://gateway.example/hook';
const LEASE_MS = 60_000;
const operator = { actor: 'maria', reason: 'the gateway was fixed' };

const WAYS: readonly (readonly [Way, Event])[] = [
  ['claim', 'claim'],
  ['succeed', 'succeed'],
  ['fail and retry', 'fail'],
  ['fail for good', 'fail'],
  ['refund', 'refund'],
  ['replay', 'replay'],
  ['discard', 'discard'],
];

const CASES = statesOf(DELIVERY_TRANSITIONS).flatMap((state) =>
  WAYS.map(([way, event]) => {
    const events: Partial<Record<Event, ReturnStatus>> = DELIVERY_TRANSITIONS[state];
    return { state, way, target: events[event] ?? state };
  }),
);

it('every event of the table is driven', () => {
  expect(new Set(WAYS.map(([, event]) => event))).toEqual(new Set(eventsOf(DELIVERY_TRANSITIONS)));
});

describeEachEngine('a delivery', { entities: [...TICKET_TABLES] }, (engine) => {
  const columns = { BusinessDocId: 'D1' };
  const LANES: readonly { lane: Lane; target: string; enqueue: () => Promise<unknown> }[] = [
    {
      lane: gatewaySend,
      target: 'CRN',
      enqueue: () =>
        engine.uow.run((tx) =>
          tx.entities.save(
            TicketInterfaceEntity,
            ticketRow({ status: 'Processed', nextAttemptAt: null, gatewaySendNextAttemptAt: new Date(0) }),
          ),
        ),
    },
    {
      lane: ticketReturn,
      target: TARGET,
      enqueue: () => enqueue(ticketReturn, { ...columns, BusinessEntity: 'TCK', PhaseCode: 15 }),
    },
    { lane: functionalAck, target: TARGET, enqueue: () => enqueue(functionalAck, columns) },
  ];
  const enqueue = (lane: Lane, values: Record<string, string | number>) =>
    engine.uow.run((tx) =>
      new Outbox().enqueue(tx, lane, {
        messageKey: 'm1',
        orderKey: 'o1',
        targetUrl: TARGET,
        payload: '{}',
        columns: values,
      }),
    );

  describe.each(LANES)('in $lane.name', ({ lane, target, enqueue: put }) => {
    let store: LaneStore;
    let operations: Operations;

    beforeEach(async () => {
      store = new LaneStore(lane, engine.uow);
      operations = new Operations(engine.uow, new Outbox());
      await put();
    });

    const claim = (owner: string) =>
      engine.uow.run((tx) => store.claim(tx, { targets: [target], owner, limit: 10, leaseMs: LEASE_MS }));
    const settle = (message: LaneMessage, verdict: Settlement['verdict']) =>
      engine.uow.run((tx) =>
        store.settle(tx, [{ message, verdict, delayMs: LEASE_MS, error: null, isCertain: true }]),
      );
    const makeDue = () =>
      engine.uow.run((tx) =>
        tx.execute(
          `UPDATE ${tx.dialect.table(lane.table)} SET ${lane.columns.nextAttemptAt} = ${tx.dialect.nowPlusSeconds('-1')}`,
        ),
      );
    const status = async () => {
      const [row] = await engine.uow.read((tx) =>
        tx.query<{ Status: string }>(
          `SELECT ${lane.columns.status} AS Status FROM ${tx.dialect.table(lane.table)}`,
        ),
      );
      return row?.Status;
    };

    /** By the same ways a row gets there in earnest; whoever took it last is left with its claim. */
    const arriveIn = async (state: ReturnStatus): Promise<LaneMessage> => {
      const [message] = await claim('first#1');
      if (!message) throw new Error('The row was not due');
      if (state === 'Pending') await settle(message, 'refund');
      if (state === 'Error') await settle(message, 'dead');
      if (state === 'Sent') await settle(message, 'done');
      expect(await status()).toBe(state);
      return message;
    };

    const happen: Record<Way, (message: LaneMessage) => Promise<unknown>> = {
      claim: async () => {
        await makeDue();
        await claim('second#1');
      },
      succeed: (message) => settle(message, 'done'),
      'fail and retry': (message) => settle(message, 'retry'),
      'fail for good': (message) => settle(message, 'dead'),
      refund: (message) => settle(message, 'refund'),
      replay: () => operations.replay(lane, {}, operator),
      discard: () => operations.discard(lane, {}, operator),
    };

    it.each(CASES)('that is $state is $target after $way', async ({ state, way, target: expected }) => {
      const message = await arriveIn(state);
      await happen[way](message);
      expect(await status()).toBe(expected);
    });

    it.each(['replay', 'discard'] as const)('that is tried again by itself takes no %s', async (action) => {
      const [message] = await claim('first#1');
      if (message) await settle(message, 'retry');
      expect(await operations[action](lane, {}, operator)).toBe(0);
      expect(await status()).toBe('Error');
    });

    it('that was discarded comes back by its own id only', async () => {
      const { id } = await arriveIn('Error');
      expect(await operations.discard(lane, {}, operator)).toBe(1);
      expect(await operations.replay(lane, {}, operator)).toBe(0);
      expect(await status()).toBe('Error');
      expect(await operations.replayOne(lane, id, operator)).toBe(true);
      expect(await status()).toBe('Pending');
    });
  });
});
