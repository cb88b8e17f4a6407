import { type Tx } from '@malote/persistence';
import { describeEachEngine } from '@malote/persistence/testing';
import { expect, it } from '@jest/globals';
import { FunctionalAckOutboxEntity } from './functional-ack-outbox.entity.ts';
import { TicketInterfaceEntity } from './ticket-interface.entity.ts';
import { TicketReturnOutboxEntity } from './ticket-return-outbox.entity.ts';

const entities = [TicketInterfaceEntity, FunctionalAckOutboxEntity, TicketReturnOutboxEntity];

const ticket = {
  businessEntity: 'TCK',
  businessDocId: '01-0107-0257-5200004',
  companyCode: '01',
  branchCode: '0107',
  destinationCode: '0257',
  phaseCode: 15,
  shipmentEvent: 'RCD',
  functionalAckIsRequired: true,
  targetApplicationCode: 'ASB',
  rawPayloadJson: '{"peso":"12,5 – ção"}',
} as const;

const ack = { businessDocId: 'A', payloadJson: '{}', targetUrl: 'https://gateway.example/ack' };

describeEachEngine('the ticket tables', { entities }, (engine) => {
  it('give a ticket that another system writes the state of the specification, due once it is found ready', async () => {
    const { id } = await engine.uow.run((tx) => tx.entities.save(TicketInterfaceEntity, { ...ticket }));
    const stored = await engine.uow.read((tx) => tx.entities.findOneByOrFail(TicketInterfaceEntity, { id }));

    expect(stored).toMatchObject({
      ...ticket,
      id,
      status: 'Awaiting',
      attemptCount: 0,
      returnStatus: 'Pending',
      gatewaySendStatus: 'Pending',
      callbackStatus: 'Pending',
      lastError: null,
      gatewaySendNextAttemptAt: null,
    });
    expect(stored.nextAttemptAt).toBeNull();
    expect(Math.abs(stored.createdAt.getTime() - Date.now())).toBeLessThan(60_000);
  });

  it('hold a ticket once in each phase', async () => {
    const receive = (phaseCode: number) =>
      engine.uow.run((tx) => tx.entities.save(TicketInterfaceEntity, { ...ticket, phaseCode }));
    await receive(15);
    await receive(6);

    const error: unknown = await receive(15).catch((reason: unknown) => reason);
    expect(engine.uow.dialect.isDuplicateKey(error)).toBe(true);
  });

  it('hold a message key once, and any number of messages without one', async () => {
    const enqueue = (messageKey: string | null) =>
      engine.uow.run((tx) => tx.entities.save(FunctionalAckOutboxEntity, { ...ack, messageKey }));
    await enqueue(null);
    await enqueue(null);
    await enqueue('ack:A');

    const error: unknown = await enqueue('ack:A').catch((reason: unknown) => reason);
    expect(engine.uow.dialect.isDuplicateKey(error)).toBe(true);
  });

  it.each<[string, (tx: Tx) => Promise<unknown>]>([
    ['a ticket', (tx) => tx.execute(`UPDATE ${tx.dialect.table('TB_TICKET_INTERFACE')} SET Status = 'Sent'`)],
    [
      'a callback',
      (tx) => tx.execute(`UPDATE ${tx.dialect.table('TB_TICKET_INTERFACE')} SET CallbackStatus = 'Sent'`),
    ],
    [
      'an outbox row',
      (tx) => tx.execute(`UPDATE ${tx.dialect.table('TB_FUNCTIONAL_ACK_OUTBOX')} SET Status = 'Processed'`),
    ],
  ])('refuse a state that is not one of %s', async (_, change) => {
    await engine.uow.run(async (tx) => {
      await tx.entities.save(TicketInterfaceEntity, { ...ticket });
      await tx.entities.save(FunctionalAckOutboxEntity, { ...ack });
    });
    await expect(engine.uow.run(change)).rejects.toThrow(/CHECK|CK_/i);
  });
});
