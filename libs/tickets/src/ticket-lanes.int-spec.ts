import { type Lane, LaneStore } from '@malote/lanes';
import { describeEachEngine } from '@malote/persistence/testing';
import { describe, expect, it } from '@jest/globals';
import { TicketInterfaceEntity } from './ticket-interface.entity.ts';
import { gatewaySend, makeDue, ticketProcessing } from './ticket-lanes.ts';
import { TICKET_TABLES, ticketRow } from './testing/index.ts';

type Ticket = Partial<TicketInterfaceEntity>;

/** A lane, what a ticket that waits in it looks like, and what phase 15 looks like before and when it lets phase 6 go. */
interface LaneCase {
  readonly lane: Lane;
  readonly due: 'nextAttemptAt' | 'gatewaySendNextAttemptAt';
  readonly waits: Ticket;
  readonly unfinished: readonly Ticket[];
  readonly finished: Ticket;
}

const LANES: readonly LaneCase[] = [
  {
    lane: ticketProcessing,
    due: 'nextAttemptAt',
    waits: { status: 'Awaiting', nextAttemptAt: null },
    unfinished: [{ status: 'Awaiting' }, { status: 'Processing' }, { status: 'Error' }],
    finished: { status: 'Processed' },
  },
  {
    lane: gatewaySend,
    due: 'gatewaySendNextAttemptAt',
    waits: { status: 'Processed', gatewaySendStatus: 'Pending', gatewaySendNextAttemptAt: null },
    unfinished: [
      { status: 'Processed', gatewaySendStatus: 'Pending' },
      { status: 'Processed', gatewaySendStatus: 'Sending' },
      { status: 'Processed', gatewaySendStatus: 'Error' },
    ],
    finished: { status: 'Processed', gatewaySendStatus: 'Sent' },
  },
];

describeEachEngine('a ticket waits', { entities: [...TICKET_TABLES] }, (engine) => {
  const store = async (...tickets: readonly Ticket[]) => {
    const ids: string[] = [];
    for (const ticket of tickets) {
      const { id } = await engine.uow.run((tx) => tx.entities.save(TicketInterfaceEntity, ticketRow(ticket)));
      ids.push(id);
    }
    return ids;
  };
  const tickets = () =>
    engine.uow.read((tx) => tx.entities.find(TicketInterfaceEntity, { order: { id: 'ASC' } }));

  describe.each(LANES)('in $lane.name', ({ lane, due, waits, unfinished, finished }) => {
    const done: Ticket = { ...finished, nextAttemptAt: null, gatewaySendNextAttemptAt: null };
    const phase6: Ticket = { ...waits, phaseCode: 6 };
    const adopt = async () => (await new LaneStore(lane, engine.uow).adopt()).adopted;
    const letGo = (ids: readonly string[]) => engine.uow.run((tx) => makeDue(tx, lane, ids));
    const dueDocuments = async () =>
      (await tickets()).filter((ticket) => ticket[due] !== null).map(({ businessDocId }) => businessDocId);

    it('phase 6 alone for good, whoever asks', async () => {
      const ids = await store(phase6);
      expect([await adopt(), await letGo(ids)]).toEqual([0, 0]);
      expect(await dueDocuments()).toEqual([]);
    });

    it.each(unfinished)('phase 6 while phase 15 is %j', async (state) => {
      const now = new Date();
      const ids = await store({ ...state, nextAttemptAt: now, gatewaySendNextAttemptAt: now }, phase6);
      expect([await adopt(), await letGo(ids)]).toEqual([0, 0]);
      expect((await tickets()).map((ticket) => ticket[due] === null)).toEqual([false, true]);
    });

    it('no longer than until phase 15 is finished, for whoever finishes it', async () => {
      const [first = ''] = await store(done, phase6);
      expect(await letGo([first])).toBe(1);
      expect((await tickets()).map((ticket) => ticket[due] === null)).toEqual([true, false]);
      expect(await letGo([first])).toBe(0);
    });

    it('no longer than until the sweep when phase 15 had been finished before it came', async () => {
      await store(done, phase6);
      expect(await adopt()).toBe(1);
      expect((await tickets()).map((ticket) => ticket[due] === null)).toEqual([true, false]);
    });

    it('for the phase 15 of its document in any spelling', async () => {
      const [first = ''] = await store(
        { ...done, businessEntity: 'TCK', businessDocId: 'Doc-a' },
        { ...phase6, businessEntity: 'tck', businessDocId: 'dOC-A' },
      );
      expect(await letGo([first])).toBe(1);
      expect(await dueDocuments()).toEqual(['dOC-A']);
    });

    it('for its own document only', async () => {
      const [first = ''] = await store(
        { ...done, businessDocId: 'A' },
        { ...phase6, businessDocId: 'A' },
        { ...done, businessDocId: 'B' },
        { ...phase6, businessDocId: 'B' },
        { ...phase6, businessDocId: 'A', businessEntity: 'OTHER' },
        { ...phase6, businessDocId: 'A1' },
      );
      expect(await letGo([first])).toBe(1);
      expect(await dueDocuments()).toEqual(['A']);
      expect(await adopt()).toBe(1);
      expect(await dueDocuments()).toEqual(['A', 'B']);
    });

    it('when phase 15 of several documents are finished at once, no longer in any of them', async () => {
      const ids = await store(
        { ...done, businessDocId: 'A' },
        { ...done, businessDocId: 'B' },
        { ...phase6, businessDocId: 'A' },
        { ...phase6, businessDocId: 'B' },
      );
      expect(await letGo(ids.slice(0, 2))).toBe(2);
    });

    it('not at all in phase 15, nor in a phase nobody knows: what another system wrote is adopted', async () => {
      await store({ ...waits, businessDocId: 'A' }, { ...waits, businessDocId: 'B', phaseCode: 7 });
      expect(await adopt()).toBe(2);
      expect(await dueDocuments()).toEqual(['A', 'B']);
    });

    it('for a person once it has given up', async () => {
      const gaveUp: Ticket = lane === ticketProcessing ? { status: 'Error' } : { gatewaySendStatus: 'Error' };
      const ids = await store({ ...waits, ...gaveUp });
      expect([await adopt(), await letGo(ids)]).toEqual([0, 0]);
    });

    it('as it was when the transaction that released it is rolled back', async () => {
      const ids = await store(done, phase6);
      const failing = engine.uow.run(async (tx) => {
        await makeDue(tx, lane, ids);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await dueDocuments()).toEqual([]);
    });
  });

  it.each(['Awaiting', 'Processing', 'Error'] as const)(
    'to be sent while it is %s itself',
    async (status) => {
      const ids = await store({ status, nextAttemptAt: null });
      expect(await new LaneStore(gatewaySend, engine.uow).adopt()).toMatchObject({ adopted: 0 });
      expect(await engine.uow.run((tx) => makeDue(tx, gatewaySend, ids))).toBe(0);
    },
  );

  it.each(['Received', 'Success', 'Error'] as const)(
    'for nothing once the gateway has called back %s: it was sent, whoever did it',
    async (callbackStatus) => {
      const processed = { status: 'Processed', nextAttemptAt: null } as const;
      const ids = await store({ ...processed, callbackStatus }, { ...processed, businessDocId: 'unsent' });
      expect(await new LaneStore(gatewaySend, engine.uow).adopt()).toMatchObject({ adopted: 1 });
      expect((await tickets()).map(({ gatewaySendNextAttemptAt }) => gatewaySendNextAttemptAt)).toEqual([
        null,
        expect.any(Date),
      ]);
      expect(await engine.uow.run((tx) => makeDue(tx, gatewaySend, ids))).toBe(0);
    },
  );

  it('no longer to be sent than until the gateway has called back about phase 15, whoever sent that', async () => {
    const processed = { status: 'Processed', nextAttemptAt: null } as const;
    await store({ ...processed, callbackStatus: 'Received' }, { ...processed, phaseCode: 6 });
    expect(await new LaneStore(gatewaySend, engine.uow).adopt()).toMatchObject({ adopted: 1 });
    expect((await tickets()).map((ticket) => ticket.gatewaySendNextAttemptAt === null)).toEqual([
      true,
      false,
    ]);
  });

  it('for nobody when nobody is named', async () => {
    await store({ status: 'Awaiting', nextAttemptAt: null });
    expect(await engine.uow.run((tx) => makeDue(tx, ticketProcessing, []))).toBe(0);
  });
});
