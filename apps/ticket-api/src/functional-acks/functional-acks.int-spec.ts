import { describe, expect, it } from '@jest/globals';
import { shipmentTicket } from '../testing/shipment-ticket.ts';
import { type Answer, describeTicketApi, pointersOf } from '../testing/ticket-api.ts';

const ack = { businessDocId: 'D1', businessEntity: 'TCK', phaseCode: 15, status: 'Accepted' };
const other = { ...ack, status: 'Rejected' };
const env = { GATEWAY_URL: 'https://gateway.example/v1', GATEWAY_URL_ASB: 'https://asb.example/' };
const keyed = (key: string) => ({ 'idempotency-key': key });

describeTicketApi(
  'a functional ACK',
  (api) => {
    const outcomes = (answers: readonly Answer[]) =>
      answers.map(({ status, body }) => [status, body.outcome]);

    it('is enqueued as it came, and acknowledged with its number', async () => {
      const json = `{ "BusinessDocID":"D1", "businessEntity":"TCK","items":[{"code":1.50,"text":"ção 🚚"}] }`;
      const { status, body } = await api.postAck(json, {
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      });
      const [stored] = await api.acks();

      expect([status, body]).toEqual([202, { id: String(stored?.id), outcome: 'enqueued' }]);
      expect(stored).toMatchObject({
        businessDocId: 'D1',
        payloadJson: json,
        targetUrl: 'https://gateway.example/v1/functional-ack/v3',
        orderKey: 'document:tck:d1',
        status: 'Pending',
      });
      expect(stored?.nextAttemptAt).toBeInstanceOf(Date);
      expect(stored?.traceParent).toContain('4bf92f3577b34da6a3ce929d0e0e4736');
    });

    it.each([
      ['ASB', 'https://asb.example/functional-ack/v3'],
      ['CRN', 'https://gateway.example/v1/functional-ack/v3'],
    ])('goes to the address of %s', async (targetApplicationCode, targetUrl) => {
      await api.postAck({ ...ack, targetApplicationCode });
      expect(await api.acks()).toMatchObject([{ targetUrl }]);
    });

    it('waits behind the one of its ticket: what is said about a document is said in order', async () => {
      await api.post(shipmentTicket({ businessDocId: 'd1', functionalAckIsRequired: true }));
      await api.postAck(ack);
      await api.postAck({ businessDocId: 'D1', note: 'of no document' });
      const due = (await api.acks()).map(({ orderKey, nextAttemptAt }) => [orderKey, nextAttemptAt !== null]);
      expect(due).toEqual([
        ['document:tck:d1', true],
        ['document:tck:d1', false],
        [null, true],
      ]);
    });

    describe('with a key', () => {
      it.each([
        ['the same body', JSON.stringify(ack)],
        [
          'the same content in other bytes',
          JSON.stringify(Object.fromEntries(Object.entries(ack).reverse()), null, 2),
        ],
      ])('is one with %s', async (_, again) => {
        const first = await api.postAck(ack, keyed('k1'));
        const second = await api.postAck(again, keyed('"k1"'));
        expect(outcomes([first, second])).toEqual([
          [202, 'enqueued'],
          [202, 'unchanged'],
        ]);
        expect(second.body.id).toBe(first.body.id);
        expect(await api.acks()).toHaveLength(1);
      });

      it('is refused with another body, and stays what it was', async () => {
        const first = await api.postAck(ack, keyed('k1'));
        const { status, body } = await api.postAck(other, keyed('k1'));
        expect([status, body.code, body.details]).toEqual([
          409,
          'idempotency-key-reused',
          { id: first.body.id },
        ]);
        expect(await api.acks()).toMatchObject([{ payloadJson: JSON.stringify(ack) }]);
      });

      it('is another under another key, even one that differs in case only', async () => {
        for (const key of ['k1', 'K1', 'k2']) await api.postAck(ack, keyed(key));
        expect(await api.acks()).toHaveLength(3);
      });

      it('is another for another caller', async () => {
        await api.postAck(ack, keyed('k1'));
        const authorization = `Bearer ${await api.tokenOf('partner-b')}`;
        const { status, body } = await api.postAck(other, { ...keyed('k1'), authorization });
        expect([status, body.outcome]).toEqual([202, 'enqueued']);
        expect(await api.acks()).toHaveLength(2);
      });

      it('takes the longest of keys', async () => {
        const key = 'k'.repeat(255);
        expect(outcomes([await api.postAck(ack, keyed(key)), await api.postAck(ack, keyed(key))])).toEqual([
          [202, 'enqueued'],
          [202, 'unchanged'],
        ]);
      });

      it.each(['', 'a b', '"open', 'a,b', 'k'.repeat(256)])('%.10j is refused', async (key) => {
        const { status, body } = await api.postAck(ack, keyed(key));
        expect([status, body.code]).toEqual([400, 'invalid-idempotency-key']);
        expect(await api.acks()).toEqual([]);
      });

      it('that was sent meanwhile is still the same', async () => {
        await api.postAck(ack, keyed('k1'));
        await api.uow.run((tx) =>
          tx.execute(`UPDATE ${tx.dialect.table('TB_FUNCTIONAL_ACK_OUTBOX')} SET Status = 'Sent'`),
        );
        expect(outcomes([await api.postAck(ack, keyed('k1'))])).toEqual([[202, 'unchanged']]);
      });

      it('is one when twenty arrive at once', async () => {
        const answers = await Promise.all(Array.from({ length: 20 }, () => api.postAck(ack, keyed('k1'))));
        expect(outcomes(answers).filter(([, outcome]) => outcome === 'enqueued')).toHaveLength(1);
        expect(outcomes(answers).filter(([, outcome]) => outcome === 'unchanged')).toHaveLength(19);
        expect(await api.acks()).toHaveLength(1);
      });
    });

    describe('without a key', () => {
      it('is one with the same content', async () => {
        const answers = [await api.postAck(ack), await api.postAck(JSON.stringify(ack, null, 2))];
        expect(outcomes(answers)).toEqual([
          [202, 'enqueued'],
          [202, 'unchanged'],
        ]);
        expect(await api.acks()).toHaveLength(1);
      });

      it('is another with other content, or for another caller', async () => {
        await api.postAck(ack);
        await api.postAck(other);
        await api.postAck(ack, { authorization: `Bearer ${await api.tokenOf('partner-b')}` });
        expect(await api.acks()).toHaveLength(3);
      });
    });

    it.each([
      [{}, '/businessDocId'],
      [{ businessDocId: 'D1 ' }, '/businessDocId'],
      [{ businessDocId: 'x'.repeat(101) }, '/businessDocId'],
      [{ ...ack, businessEntity: '' }, '/businessEntity'],
      [{ ...ack, phaseCode: 7 }, '/phaseCode'],
      [{ ...ack, targetApplicationCode: 'x'.repeat(21) }, '/targetApplicationCode'],
    ])('%.60j is refused', async (body, pointer) => {
      const answer = await api.postAck(body);
      expect([answer.status, pointersOf(answer)]).toEqual([400, [pointer]]);
      expect(await api.acks()).toEqual([]);
    });

    it('may leave out, or leave open, all but its document', async () => {
      expect((await api.postAck({ businessDocId: 'D1' })).status).toBe(202);
      const open = {
        businessDocId: 'D2',
        businessEntity: null,
        phaseCode: null,
        targetApplicationCode: null,
      };
      expect((await api.postAck(open)).status).toBe(202);
      expect(await api.acks()).toMatchObject([{ orderKey: null }, { orderKey: null }]);
    });
  },
  env,
);
