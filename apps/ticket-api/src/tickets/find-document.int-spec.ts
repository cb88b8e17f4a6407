import { TicketInterfaceEntity } from '@malote/tickets';
import { ticketRow } from '@malote/tickets/testing';
import { expect, it } from '@jest/globals';
import { shipmentTicket } from '../testing/shipment-ticket.ts';
import { describeTicketApi, pointersOf } from '../testing/ticket-api.ts';

describeTicketApi('a document', (api) => {
  it('has its phases in the order they happen, with what was received', async () => {
    const weighed = shipmentTicket({ phaseCode: 6, note: 'ção 🚚', cargo: [{ bags: 2 }] });
    await api.post(weighed);
    await api.post(shipmentTicket());
    await api.post(shipmentTicket({ businessDocId: 'other' }));
    const { status, body } = await api.get('/TCK/01-0107-0257-5200004');

    expect([status, body]).toMatchObject([
      200,
      {
        businessEntity: 'TCK',
        businessDocId: '01-0107-0257-5200004',
        phases: [
          { phaseCode: 15, status: 'Awaiting', payload: shipmentTicket(), callbackPayload: null },
          { phaseCode: 6, status: 'Awaiting', payload: weighed, callbackPayload: null },
        ],
      },
    ]);
  });

  it('tells where each phase stands, and nothing that only workers need', async () => {
    await api.post(shipmentTicket());
    await api.settle(await api.claim(), 'dead', 'netWeight is missing');
    const [phase] = (await api.get('/TCK/01-0107-0257-5200004')).body.phases as Record<string, unknown>[];

    expect(phase).toMatchObject({
      status: 'Error',
      attemptCount: 1,
      lastError: 'netWeight is missing',
      processedAt: null,
      returnStatus: 'Pending',
      gatewaySendStatus: 'Pending',
      callbackStatus: 'Pending',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      functionalAckIsRequired: false,
    });
    expect(Object.keys(phase ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/lease|nextAttempt|rawPayload|traceParent/i)]),
    );
  });

  it('is found in any spelling, and shown in the first', async () => {
    await api.post(shipmentTicket({ businessDocId: 'Doc-a' }));
    expect((await api.get('/tck/dOC-A')).body).toMatchObject({
      businessEntity: 'TCK',
      businessDocId: 'Doc-a',
    });
  });

  it.each(['A/B C', 'A%2FB', '100%', 'a?b#c', 'a+b', "O'Neill"])(
    'is found by the key %s',
    async (businessDocId) => {
      await api.post(shipmentTicket({ businessDocId }));
      const { status, body } = await api.get(`/TCK/${encodeURIComponent(businessDocId)}`);
      expect([status, body.businessDocId]).toEqual([200, businessDocId]);
    },
  );

  it('that nobody sent is not found', async () => {
    await api.post(shipmentTicket());
    for (const path of [
      '/TCK/other',
      '/OTHER/01-0107-0257-5200004',
      '/TCK/01-0107-0257-520000_',
      '/TCK/%25',
    ]) {
      const { status, body } = await api.get(path);
      expect([path, status, body.code]).toEqual([path, 404, 'ticket-unknown']);
    }
  });

  it.each([
    ['/TCK/%20D1', '/businessDocId'],
    ['/TCK%20/D1', '/businessEntity'],
    [`/TCK/${'x'.repeat(101)}`, '/businessDocId'],
    ['/TCK/%C3%A9', '/businessDocId'],
  ])('has no key such as %s', async (path, pointer) => {
    const answer = await api.get(path);
    expect([answer.status, pointersOf(answer)]).toEqual([400, [pointer]]);
  });

  it('is shown although another system stored what is no JSON', async () => {
    await api.uow.run((tx) =>
      tx.entities.save(TicketInterfaceEntity, ticketRow({ rawPayloadJson: '{broken' })),
    );
    expect((await api.get('/TCK/01-0107-0257-5200004')).body).toMatchObject({
      phases: [{ payload: '{broken' }],
    });
  });
});
