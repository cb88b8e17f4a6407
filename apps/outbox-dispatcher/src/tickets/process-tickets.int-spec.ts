import { type LaneMessage, LaneStore, Outbox, type Settlement } from '@malote/lanes';
import { describeEachEngine } from '@malote/persistence/testing';
import { DELIVERED, refusal } from '@malote/retry-policy';
import {
  GatewayAddresses,
  TicketInterfaceEntity,
  ticketProcessing,
  TicketReturnOutboxEntity,
} from '@malote/tickets';
import { TICKET_TABLES, ticketRow } from '@malote/tickets/testing';
import { beforeEach, expect, it } from '@jest/globals';
import { ProcessTickets } from './process-tickets.ts';

type Verdict = Settlement['verdict'];

const LEASE_MS = 60_000;

describeEachEngine('processing a ticket', { entities: [...TICKET_TABLES] }, (engine) => {
  let processing: ProcessTickets;
  let lane: LaneStore;

  beforeEach(async () => {
    processing = new ProcessTickets(
      engine.uow,
      new Outbox(),
      new GatewayAddresses('https://gateway.example', { ASB: 'https://asb.example' }),
    );
    lane = new LaneStore(ticketProcessing, engine.uow);
    await store({});
  });

  const store = (ticket: Partial<TicketInterfaceEntity>) =>
    engine.uow.run((tx) => tx.entities.save(TicketInterfaceEntity, ticketRow(ticket)));
  const claim = (owner: string, leaseMs = LEASE_MS) =>
    engine.uow.run((tx) => lane.claim(tx, { targets: [], owner, limit: 10, leaseMs }));
  /** What a worker does with results. */
  const settle = async (messages: readonly LaneMessage[], verdict: Verdict = 'done') => {
    const settlements = messages.map((message) => settlementOf(message, verdict));
    const ours = await engine.uow.run(async (tx) => {
      const held = await lane.settle(tx, settlements);
      await processing.onSettled(tx, held);
      return held;
    });
    await processing.afterSettled(ours);
    return ours.length;
  };
  const returns = () =>
    engine.uow.read((tx) => tx.entities.find(TicketReturnOutboxEntity, { order: { id: 'ASC' } }));
  const tickets = () =>
    engine.uow.read((tx) => tx.entities.find(TicketInterfaceEntity, { order: { id: 'ASC' } }));

  it('enqueues its return and makes it due for the gateway', async () => {
    await settle(await claim('worker#1'));
    expect(await returns()).toMatchObject([
      {
        businessEntity: 'TCK',
        businessDocId: '01-0107-0257-5200004',
        phaseCode: 15,
        messageKey: 'ticket-return:tck:01-0107-0257-5200004:15',
        orderKey: 'document:tck:01-0107-0257-5200004',
        targetUrl: 'https://gateway.example/ticket-return',
        status: 'Pending',
      },
    ]);
    expect(await tickets()).toMatchObject([
      { status: 'Processed', gatewaySendStatus: 'Pending', gatewaySendNextAttemptAt: expect.any(Date) },
    ]);
  });

  it.each([
    ['one after the other', false],
    ['together', true],
  ])('enqueues one return although a worker lost it and both settle, %s', async (_, isTogether) => {
    const lost = await claim('lost#1', -1);
    const taken = await claim('taken#1');
    expect([lost.length, taken.length]).toEqual([1, 1]);
    const settled = isTogether
      ? await settle([...lost, ...taken])
      : (await settle(lost)) + (await settle(taken)) + (await settle(taken));
    expect(settled).toBe(1);
    expect(await returns()).toHaveLength(1);
  });

  it('enqueues one return although another system puts it back', async () => {
    await settle(await claim('worker#1'));
    await engine.uow.run((tx) =>
      tx.execute(
        `UPDATE ${tx.dialect.table('TB_TICKET_INTERFACE')} SET Status = 'Awaiting', NextAttemptAt = ${tx.dialect.nowPlusSeconds('-1')}`,
      ),
    );
    expect(await settle(await claim('worker#2'))).toBe(1);
    expect(await returns()).toHaveLength(1);
  });

  it.each<Verdict>(['retry', 'dead', 'refund'])('enqueues nothing when it ends in %s', async (verdict) => {
    await settle(await claim('worker#1'), verdict);
    expect(await returns()).toEqual([]);
    expect(await tickets()).toMatchObject([{ gatewaySendNextAttemptAt: null }]);
  });

  it('enqueues nothing when its transaction is rolled back', async () => {
    const claimed = await claim('worker#1');
    const failing = engine.uow.run(async (tx) => {
      const settlements = claimed.map((message) => settlementOf(message, 'done'));
      await processing.onSettled(tx, await lane.settle(tx, settlements));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await returns()).toEqual([]);
    expect(await tickets()).toMatchObject([{ status: 'Processing', gatewaySendNextAttemptAt: null }]);
  });

  it('lets the phase 6 of its document go on, and no other', async () => {
    await store({ phaseCode: 6, nextAttemptAt: null });
    await store({ phaseCode: 6, nextAttemptAt: null, businessDocId: 'other' });
    await settle(await claim('worker#1'));
    expect((await tickets()).map(({ nextAttemptAt }) => nextAttemptAt !== null)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('returns many at once, each to its own application', async () => {
    await store({ businessDocId: 'D2', targetApplicationCode: 'ASB' });
    await settle(await claim('worker#1'));
    expect((await returns()).map(({ targetUrl }) => targetUrl)).toEqual([
      'https://gateway.example/ticket-return',
      'https://asb.example/ticket-return',
    ]);
  });

  it.each([
    [{}, DELIVERED],
    [{ rawPayloadJson: '[]' }, refusal('RawPayloadJson is no JSON object')],
    [{ phaseCode: 7 }, refusal('phase 7 is unknown')],
  ])('of %j ends as %j', async (ticket, outcome) => {
    await store({ businessDocId: 'D2', ...ticket });
    const message = (await claim('worker#1')).find(({ row }) => row.BusinessDocId === 'D2');
    expect(message && (await processing.deliver(message))).toEqual(outcome);
  });
});

function settlementOf(message: LaneMessage, verdict: Verdict): Settlement {
  return { message, verdict, delayMs: 0, error: null, isCertain: true };
}
