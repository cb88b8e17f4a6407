import { describe, expect, it } from '@jest/globals';
import { shipmentTicket } from '../testing/shipment-ticket.ts';
import { describeTicketApi } from '../testing/ticket-api.ts';

const ticket = shipmentTicket();
const corrected = shipmentTicket({ companyCode: '02', note: 'corrected' });

describeTicketApi('a posted ticket', (api) => {
  it('is stored, waits to be processed, and is named in the answer', async () => {
    const { status, body } = await api.post(ticket);
    const [stored] = await api.tickets();

    expect([status, body]).toEqual([
      200,
      {
        id: String(stored?.id),
        businessEntity: 'TCK',
        businessDocId: '01-0107-0257-5200004',
        phaseCode: 15,
        status: 'Awaiting',
        outcome: 'created',
      },
    ]);
    expect(stored).toMatchObject({ ...ticket, status: 'Awaiting', attemptCount: 0, lastError: null });
    expect(stored?.nextAttemptAt).toBeInstanceOf(Date);
    expect(stored?.gatewaySendNextAttemptAt).toBeNull();
  });

  it('keeps the trace it came with', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    await api.post(ticket, { traceparent: `00-${trace}-00f067aa0ba902b7-01` });
    const [stored] = await api.tickets();
    expect(stored?.traceParent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
  });

  it('of phase 6 waits for phase 15, and is due at once when phase 15 has been processed', async () => {
    await api.post(shipmentTicket({ phaseCode: 6 }));
    expect((await api.tickets())[0]?.nextAttemptAt).toBeNull();

    const other = { businessDocId: 'other' };
    await api.post(shipmentTicket(other));
    await api.settle(await api.claim(), 'done');
    await api.post(shipmentTicket({ ...other, businessDocId: 'OTHER', phaseCode: 6 }));
    expect((await api.tickets())[2]?.nextAttemptAt).toBeInstanceOf(Date);
  });

  describe('again', () => {
    it.each([
      ['as it was', JSON.stringify(ticket)],
      ['with blanks', JSON.stringify(ticket, null, 4)],
      [
        'with its names in another order',
        JSON.stringify(Object.fromEntries(Object.entries(ticket).reverse())),
      ],
      ['with a number written differently', JSON.stringify(ticket).replace(':15,', ':15.0,')],
      ['with escapes', JSON.stringify(ticket).replace('TCK', String.raw`\u0054CK`)],
    ])('%s changes nothing', async (_, again) => {
      const first = await api.post(ticket);
      const [before] = await api.tickets();
      const { status, body } = await api.post(again);

      expect([status, body]).toEqual([200, { ...first.body, outcome: 'unchanged' }]);
      expect(await api.tickets()).toEqual([before]);
    });

    it.each(['done', 'dead'] as const)('says where it stands once it was settled as %s', async (verdict) => {
      await api.post(ticket);
      await api.settle(await api.claim(), verdict);
      const [before] = await api.tickets();
      const { status, body } = await api.post(ticket);

      expect([status, body]).toMatchObject([200, { status: before?.status, outcome: 'unchanged' }]);
      expect(await api.tickets()).toEqual([before]);
    });
  });

  describe('with other content', () => {
    it('corrects one that waits', async () => {
      const first = await api.post(ticket);
      const { status, body } = await api.post(corrected);

      expect([status, body]).toEqual([200, { ...first.body, outcome: 'updated' }]);
      expect(await api.tickets()).toMatchObject([
        { companyCode: '02', rawPayloadJson: JSON.stringify(corrected), status: 'Awaiting' },
      ]);
    });

    it.each(['retry', 'dead'] as const)(
      'brings back one that failed (%s): no attempts, no error, due now',
      async (verdict) => {
        await api.post(ticket);
        await api.settle(await api.claim(), verdict, 'netWeight is missing');
        expect(await api.tickets()).toMatchObject([{ status: 'Error', attemptCount: 1 }]);
        const { body } = await api.post(corrected);

        expect(body).toMatchObject({ status: 'Awaiting', outcome: 'updated' });
        expect(await api.tickets()).toMatchObject([
          { status: 'Awaiting', attemptCount: 0, lastError: null, leaseOwner: null, companyCode: '02' },
        ]);
        expect(await api.claim()).toMatchObject([{ attempt: 1 }]);
      },
    );

    it('does not hurry a phase 6 that waits for phase 15', async () => {
      await api.post(shipmentTicket({ phaseCode: 6 }));
      const { body } = await api.post(shipmentTicket({ phaseCode: 6, note: 'corrected' }));
      expect(body.outcome).toBe('updated');
      expect((await api.tickets())[0]?.nextAttemptAt).toBeNull();
    });

    it.each([
      ['is being processed', undefined, 'Processing', 'ticket-being-processed'],
      ['has been processed', 'done', 'Processed', 'ticket-already-processed'],
    ] as const)('is refused when the ticket %s', async (_, verdict, state, code) => {
      const first = await api.post(ticket);
      const claimed = await api.claim();
      if (verdict) await api.settle(claimed, verdict);
      const [before] = await api.tickets();
      const { status, body } = await api.post(corrected);

      expect([status, body]).toMatchObject([
        409,
        {
          code,
          details: { ticketId: first.body.id, status: state },
          detail: expect.stringMatching(/content/),
        },
      ]);
      expect(await api.tickets()).toEqual([before]);
    });

    it('of another phase or document is another ticket', async () => {
      await api.post(ticket);
      for (const more of [{ phaseCode: 6 }, { businessDocId: 'D2' }, { businessEntity: 'OTHER' }]) {
        expect((await api.post(shipmentTicket(more))).body.outcome).toBe('created');
      }
      expect(await api.tickets()).toHaveLength(4);
    });
  });

  describe('under a key', () => {
    it('in another case is the same ticket, and keeps the spelling it first had', async () => {
      await api.post(shipmentTicket({ businessDocId: 'Doc-a' }));
      const { body } = await api.post(shipmentTicket({ businessEntity: 'tck', businessDocId: 'dOC-A' }));

      expect(body).toMatchObject({ businessEntity: 'TCK', businessDocId: 'Doc-a', outcome: 'updated' });
      expect(await api.tickets()).toMatchObject([{ businessEntity: 'TCK', businessDocId: 'Doc-a' }]);
    });

    it.each(['D1 ', ' D1', '\tD1', 'D1\n', 'D\u00a01', 'Dé', ''])('%j is refused', async (businessDocId) => {
      const { status, body } = await api.post(shipmentTicket({ businessDocId }));
      expect([status, body]).toMatchObject([
        400,
        { errors: [{ pointer: '/businessDocId', code: 'is-key' }] },
      ]);
      expect(await api.tickets()).toEqual([]);
    });

    it.each(['D 1', "D'1;--", 'D%1', '[D]_', 'x'.repeat(100)])(
      '%j is taken as it is',
      async (businessDocId) => {
        await api.post(shipmentTicket({ businessDocId }));
        expect((await api.post(shipmentTicket({ businessDocId }))).body.outcome).toBe('unchanged');
        expect(await api.tickets()).toMatchObject([{ businessDocId }]);
      },
    );
  });
});
