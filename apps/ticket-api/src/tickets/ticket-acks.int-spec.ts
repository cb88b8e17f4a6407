import { Outbox } from '@malote/lanes';
import { GatewayAddresses, ticketAckKey } from '@malote/tickets';
import { expect, it } from '@jest/globals';
import { shipmentTicket } from '../testing/shipment-ticket.ts';
import { describeTicketApi } from '../testing/ticket-api.ts';
import { type ShipmentTicketDto } from './shipment-ticket.dto.ts';
import { TicketRepository } from './ticket.repository.ts';
import { TicketsService } from './tickets.service.ts';

const acked = (more: object = {}) => shipmentTicket({ functionalAckIsRequired: true, ...more });
const env = { GATEWAY_URL: 'https://gateway.example/v1/', GATEWAY_URL_ASB: 'https://asb.example' };

class FailingOutbox extends Outbox {
  override async enqueue(...message: Parameters<Outbox['enqueue']>): Promise<never> {
    await super.enqueue(...message);
    throw new Error('no');
  }
}

describeTicketApi(
  'a ticket that asks for a functional ACK',
  (api) => {
    it('gets exactly one', async () => {
      const posted = Date.now();
      await api.post(acked({ businessDocId: 'D1' }));
      const [ack, ...others] = await api.acks();

      expect(others).toEqual([]);
      expect(ack).toMatchObject({
        businessDocId: 'D1',
        targetUrl: 'https://gateway.example/v1/functional-ack/v3',
        status: 'Pending',
        messageKey: 'ticket-ack:tck:d1:15',
        orderKey: 'document:tck:d1',
      });
      const { receivedAt, ...payload } = JSON.parse(ack?.payloadJson ?? '') as Record<string, unknown>;
      expect(payload).toEqual({
        version: 3,
        businessEntity: 'TCK',
        businessDocId: 'D1',
        phaseCode: 15,
        targetApplicationCode: 'CRN',
        status: 'Accepted',
      });
      expect(Math.abs(new Date(String(receivedAt)).getTime() - posted)).toBeLessThan(60_000);
    });

    it('gets none when it is posted again unchanged', async () => {
      for (let n = 0; n < 3; n += 1) await api.post(acked());
      expect(await api.acks()).toHaveLength(1);
    });

    it('gets one for each phase, and one for each content it is corrected to', async () => {
      await api.post(acked());
      await api.post(acked({ phaseCode: 6 }));
      await api.post(acked({ note: 'corrected' }));
      await api.post(acked({ note: 'corrected' }));
      await api.post(acked({ note: 'corrected again' }));

      const keys = (await api.acks()).map(({ messageKey }) => messageKey);
      const ticket = { businessEntity: 'TCK', businessDocId: '01-0107-0257-5200004' };
      expect(keys.slice(0, 2)).toEqual([15, 6].map((phaseCode) => ticketAckKey({ ...ticket, phaseCode })));
      expect(keys).toHaveLength(4);
      expect(new Set(keys).size).toBe(4);
    });

    it('gets one for each correction, also for one that returns to an earlier content', async () => {
      for (const note of ['A', 'B', 'A', 'B', 'B']) await api.post(acked({ note }));
      expect(await api.acks()).toHaveLength(4);
    });

    it('gets none for a correction that comes too late', async () => {
      await api.post(acked());
      await api.settle(await api.claim(), 'done');
      expect((await api.post(acked({ note: 'too late' }))).status).toBe(409);
      expect(await api.acks()).toHaveLength(1);
    });

    it('gets one at last when only its correction asks for it', async () => {
      await api.post(shipmentTicket());
      expect(await api.acks()).toEqual([]);
      await api.post(acked());
      expect(await api.acks()).toHaveLength(1);
    });

    it.each([
      ['ASB', 'https://asb.example/functional-ack/v3'],
      ['asb', 'https://asb.example/functional-ack/v3'],
      ['CRN', 'https://gateway.example/v1/functional-ack/v3'],
    ])('has it sent to the address of %s', async (targetApplicationCode, targetUrl) => {
      await api.post(acked({ targetApplicationCode }));
      expect(await api.acks()).toMatchObject([{ targetUrl }]);
    });

    it('carries the trace on', async () => {
      await api.post(acked(), { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' });
      const [ticket] = await api.tickets();
      expect((await api.acks())[0]?.traceParent).toBe(ticket?.traceParent);
      expect(ticket?.traceParent).toContain('4bf92f3577b34da6a3ce929d0e0e4736');
    });

    it('is stored together with it or not at all', async () => {
      const ticket = acked() as unknown as ShipmentTicketDto;
      const received = { ticket, rawPayload: JSON.stringify(ticket), traceParent: undefined };
      const addresses = new GatewayAddresses('https://gateway.example');
      const failing = new TicketsService(api.uow, new TicketRepository(), new FailingOutbox(), addresses);
      await expect(failing.receive(received, new Date())).rejects.toThrow('no');
      expect([await api.tickets(), await api.acks()]).toEqual([[], []]);
    });

    it('that is refused gets none', async () => {
      expect((await api.post(acked({ companyCode: '🚚' }))).status).toBe(400);
      expect(await api.acks()).toEqual([]);
    });
  },
  env,
);
