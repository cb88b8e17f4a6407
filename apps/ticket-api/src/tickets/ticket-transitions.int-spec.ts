import { type LaneMessage } from '@malote/lanes';
import { eventsOf, statesOf } from '@malote/state-machine';
import { TICKET_TRANSITIONS, ticketProcessing, type TicketStatus } from '@malote/tickets';
import { expect, it } from '@jest/globals';
import { shipmentTicket } from '../testing/shipment-ticket.ts';
import { describeTicketApi } from '../testing/ticket-api.ts';

type Event = ReturnType<typeof eventsOf<typeof TICKET_TRANSITIONS>>[number];
/** Both end in `Error`: one is tried again by itself. */
type Way = Exclude<Event, 'fail'> | 'fail and retry' | 'fail for good';

const WAYS: readonly (readonly [Way, Event])[] = [
  ['claim', 'claim'],
  ['succeed', 'succeed'],
  ['fail and retry', 'fail'],
  ['fail for good', 'fail'],
  ['refund', 'refund'],
  ['correct', 'correct'],
  ['replay', 'replay'],
  ['discard', 'discard'],
];

const CASES = statesOf(TICKET_TRANSITIONS).flatMap((state) =>
  WAYS.map(([way, event]) => {
    const events: Partial<Record<Event, TicketStatus>> = TICKET_TRANSITIONS[state];
    return { state, way, target: events[event] ?? state };
  }),
);

it('every event of the table is driven', () => {
  expect(new Set(WAYS.map(([, event]) => event))).toEqual(new Set(eventsOf(TICKET_TRANSITIONS)));
});

describeTicketApi('a ticket', (api) => {
  const makeDue = () =>
    api.uow.run((tx) =>
      tx.execute(
        `UPDATE ${tx.dialect.table(ticketProcessing.table)} SET NextAttemptAt = ${tx.dialect.nowPlusSeconds('-1')}`,
      ),
    );
  const status = async () => (await api.tickets())[0]?.status;

  /** By the same ways a ticket gets there in earnest; whoever took it last is left with its claim. */
  const arriveIn = async (state: TicketStatus): Promise<LaneMessage[]> => {
    await api.post(shipmentTicket());
    const claimed = await api.claim('first#1');
    expect(claimed).toHaveLength(1);
    if (state === 'Awaiting') await api.settle(claimed, 'refund');
    if (state === 'Error') await api.settle(claimed, 'dead');
    if (state === 'Processed') await api.settle(claimed, 'done');
    expect(await status()).toBe(state);
    return claimed;
  };

  const happen: Record<Way, (claimed: readonly LaneMessage[]) => Promise<unknown>> = {
    claim: async () => {
      await makeDue();
      await api.claim('second#1');
    },
    succeed: (claimed) => api.settle(claimed, 'done'),
    'fail and retry': (claimed) => api.settle(claimed, 'retry'),
    'fail for good': (claimed) => api.settle(claimed, 'dead'),
    refund: (claimed) => api.settle(claimed, 'refund'),
    correct: () => api.post(shipmentTicket({ note: 'corrected' })),
    replay: () => api.replay(),
    discard: () => api.discard(),
  };

  it.each(CASES)('that is $state is $target after $way', async ({ state, way, target }) => {
    const claimed = await arriveIn(state);
    await happen[way](claimed);
    expect(await status()).toBe(target);
  });

  it('that is tried again by itself is not replayed', async () => {
    await api.post(shipmentTicket());
    await api.settle(await api.claim(), 'retry');
    expect(await api.replay()).toBe(0);
    expect(await status()).toBe('Error');
  });

  it('that was discarded comes back when its partner corrects it, as if it were new', async () => {
    await arriveIn('Error');
    await api.uow.run((tx) =>
      tx.execute(`UPDATE ${tx.dialect.table(ticketProcessing.table)} SET AbandonCount = 3`),
    );
    expect(await api.discard()).toBe(1);
    expect(await api.replay()).toBe(0);
    expect(await api.tickets()).toMatchObject([
      { status: 'Error', discardedAt: expect.any(Date), abandonCount: 3, nextAttemptAt: null },
    ]);

    expect((await api.post(shipmentTicket({ note: 'corrected' }))).body.outcome).toBe('updated');
    expect(await api.tickets()).toMatchObject([
      { status: 'Awaiting', discardedAt: null, abandonCount: 0, attemptCount: 0, lastError: null },
    ]);
    expect(await api.claim()).toHaveLength(1);
  });

  it('that was corrected is lost to whoever held it before', async () => {
    await api.post(shipmentTicket());
    const claimed = await api.claim();
    await api.settle(claimed, 'retry');
    await api.post(shipmentTicket({ note: 'corrected' }));
    await api.settle(claimed, 'done');
    expect(await status()).toBe('Awaiting');
  });
});
