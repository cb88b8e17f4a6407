import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeEachEngine } from '@malote/persistence/testing';
import { FunctionalAckOutboxEntity, TicketInterfaceEntity } from '@malote/tickets';
import { ticketRow } from '@malote/tickets/testing';
import { type MessageDetailView, type MessagesPage } from './message.dto.ts';
import { OPERATIONS_TABLES, OperationsClient } from './testing/operations-client.ts';
import { SampleRows, TARGET } from './testing/sample-rows.ts';

const SAMPLE = '/api/ops/lanes/sample/messages';

describeEachEngine('looking into a lane', OPERATIONS_TABLES, (engine) => {
  let maria: OperationsClient;
  const sample = new SampleRows(engine);

  describe('over HTTP', () => {
    beforeAll(async () => {
      maria = await OperationsClient.start(engine.databaseUrl);
    });

    afterAll(() => maria.close());

    const ids = async (query: Readonly<Record<string, string>>, path = SAMPLE) => {
      const { status, body } = await maria.get<MessagesPage>(path, query);
      expect(status).toBe(200);
      return body.items.map(({ id }) => id);
    };

    it('lists messages newest first, page by page, without what they say', async () => {
      const added: string[] = [];
      for (const messageKey of ['a', 'b', 'c', 'd', 'e']) added.push(await sample.add({ messageKey }));

      const first = await maria.get<MessagesPage>(SAMPLE, { limit: '2' });
      expect(first.body.items).toMatchObject([{ messageKey: 'e' }, { messageKey: 'd' }]);
      expect(first.body.items[0]).not.toHaveProperty('payload');
      const { next = '' } = first.body;
      const second = await maria.get<MessagesPage>(SAMPLE, { limit: '2', cursor: next });
      expect(second.body.items).toMatchObject([{ messageKey: 'c' }, { messageKey: 'b' }]);
      const third = await maria.get<MessagesPage>(SAMPLE, { limit: '2', cursor: second.body.next ?? '' });
      expect(third.body).toEqual({ items: [expect.objectContaining({ id: added[0], messageKey: 'a' })] });
    });

    it('tells the states apart that a status column does not', async () => {
      const pending = await sample.add();
      const parked = await sample.add({ nextAttemptAt: null });
      const retrying = await sample.add({ status: 'Error', lastError: 'HTTP 500', attemptCount: 2 });
      const gone = await sample.addDead();
      const discarded = await sample.addDead({ discardedAt: new Date() });
      const sent = await sample.add({ status: 'Sent', nextAttemptAt: null, sentAt: new Date() });

      expect(await ids({ status: 'Pending' })).toEqual([pending]);
      expect(await ids({ status: 'parked' })).toEqual([parked]);
      expect(await ids({ status: 'error' })).toEqual([retrying]);
      expect(await ids({ STATUS: 'DEAD' })).toEqual([gone]);
      expect(await ids({ status: 'discarded' })).toEqual([discarded]);
      expect(await ids({ status: 'Sent' })).toEqual([sent]);
      const { body } = await maria.get<MessagesPage>(SAMPLE);
      const words = body.items.map(({ status }) => status);
      expect(words).toEqual(['Sent', 'discarded', 'dead', 'Error', 'parked', 'Pending']);
      expect(await maria.get(SAMPLE, { status: 'Lost' })).toMatchObject({
        status: 400,
        body: {
          code: 'unknown-status',
          errors: [
            {
              pointer: '/status',
              message: expect.stringContaining('Pending, Sending, Sent, Error, dead, parked, discarded'),
            },
          ],
        },
      });
    });

    it('filters by target, document, key and time, with names in any case', async () => {
      const wanted = await sample.add({
        messageKey: 'k1',
        businessDocId: 'Doc-1',
        targetUrl: 'https://other.example/',
        createdAt: new Date('2026-03-01T12:00:00Z'),
      });
      await sample.add({ messageKey: 'k2', businessDocId: 'Doc-2' });

      expect(await ids({ target: 'https://other.example/' })).toEqual([wanted]);
      expect(await ids({ BUSINESSDOCID: 'dOC-1' })).toEqual([wanted]);
      expect(await ids({ messagekey: 'k1' })).toEqual([wanted]);
      expect(await ids({ createdFrom: '2026-03-01T12:00:00Z', createdTo: '2026-03-02' })).toEqual([wanted]);
      expect(await ids({ createdTo: '2026-03-01T12:00:00Z' })).toEqual([]);
      expect(
        await ids({
          createdFrom: '2026-03-01T09:00:00-03:00',
          limit: '1',
          createdTo: '2026-03-01T09:00:01-03:00',
        }),
      ).toEqual([wanted]);
    });

    it.each(['0000-01-01', '9999-12-31T23:59:59-23:59'])(
      'compares with %s, which is no time of a database',
      async (moment) => {
        const id = await sample.add();
        expect([await ids({ createdFrom: moment }), await ids({ createdTo: moment })].flat()).toEqual([id]);
      },
    );

    it('knows only the filters the lane has columns for', async () => {
      await engine.uow.run((tx) => tx.entities.insert(TicketInterfaceEntity, ticketRow()));
      const tickets = '/api/ops/lanes/ticket-processing/messages';
      expect(
        await ids({ businessEntity: 'tck', businessDocId: '01-0107-0257-5200004' }, tickets),
      ).toHaveLength(1);
      expect(await maria.get(tickets, { messageKey: 'k' })).toMatchObject({
        status: 400,
        body: { detail: 'Messages of ticket-processing have no messageKey' },
      });
      expect(await maria.get(tickets, { target: 'x' })).toMatchObject({
        status: 400,
        body: { code: 'lane-has-no-target' },
      });
      expect(
        await maria.get('/api/ops/lanes/functional-ack/messages', { businessEntity: 'TCK' }),
      ).toMatchObject({
        status: 400,
        body: { code: 'filter-not-known' },
      });
    });

    it.each([
      ['a per cent sign', '50% full', '0% f', '5%l'],
      ['an underscore', 'a_b', 'a_', 'a__'],
      ['a bracket', 'set [abc] failed', 't [abc]', 't [a-z]'],
      ['a backslash', String.raw`C:\temp`, String.raw`:\t`, String.raw`C\:`],
      ['a quote', 'it\'s "so"', `'s "so`, "'; DROP TABLE TB_SAMPLE_OUTBOX; --"],
      ['letters in another case', 'HTTP 422 Unprocessable', 'http 422 unPROC', 'http422'],
      ['letters beyond ASCII', 'campo INVÁLIDO', 'inválido', 'invalidado'],
    ])('finds the text of an error with %s', async (_, lastError, part, other) => {
      const id = await sample.add({ lastError });
      await sample.add({ lastError: 'nothing of the sort' });
      await sample.add();
      expect(await ids({ errorContains: part })).toEqual([id]);
      expect(await ids({ errorContains: other })).toEqual([]);
    });

    it('shows one message whole, its JSON as JSON', async () => {
      const id = await sample.add({
        payloadJson: '{"name":"João 🚚","weights":[1.5]}',
        messageKey: 'k1',
        orderKey: 'doc-1',
        leaseOwner: 'worker#7',
        traceParent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        attemptCount: 3,
        lastError: 'HTTP 500 🚚',
      });
      const { status, body } = await maria.get<MessageDetailView>(`${SAMPLE}/${id}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        id,
        status: 'Pending',
        attempts: 3,
        lastError: 'HTTP 500 🚚',
        target: TARGET,
        messageKey: 'k1',
        orderKey: 'doc-1',
        leaseOwner: 'worker#7',
        traceParent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        payload: { name: 'João 🚚', weights: [1.5] },
        sentAt: null,
        discardedAt: null,
        actions: [],
      });
      for (const name of ['inDoubtSince', 'askCount']) expect(body).not.toHaveProperty(name);
      expect(new Date(body.nextAttemptAt ?? 0).getTime()).toBeGreaterThan(Date.now() - 60_000);
    });

    it('shows rows another system has written: no key, no JSON', async () => {
      const { identifiers } = await engine.uow.run((tx) =>
        tx.entities.insert(FunctionalAckOutboxEntity, {
          businessDocId: 'D1',
          payloadJson: '<ack>🚚</ack>',
          targetUrl: TARGET,
        }),
      );
      const path = `/api/ops/lanes/functional-ack/messages/${String(identifiers[0]?.id)}`;
      expect((await maria.get(path)).body).toMatchObject({
        messageKey: null,
        orderKey: null,
        businessDocId: 'D1',
        payload: '<ack>🚚</ack>',
      });
    });

    it.each(['abc', '-1', '0', '1.5', '1e3', '9223372036854775808', '%20', '١'])(
      'takes %s for no id',
      async (id) => {
        for (const { status, body } of [
          await maria.get(`${SAMPLE}/${id}`),
          await maria.post(`${SAMPLE}/${id}/replay`, { reason: 'to see whether' }),
          await maria.post(`${SAMPLE}/${id}/discard`, { reason: 'to see whether' }),
        ]) {
          expect([status, body]).toEqual([
            400,
            expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/id' })] }),
          ]);
        }
      },
    );

    it('says when there is no such message or lane', async () => {
      expect(await maria.get(`${SAMPLE}/9223372036854775807`)).toMatchObject({
        status: 404,
        body: { code: 'unknown-message' },
      });
      expect(await maria.get('/api/ops/lanes/tickets/messages')).toMatchObject({
        status: 404,
        body: {
          code: 'unknown-lane',
          details: {
            lanes: ['ticket-processing', 'gateway-send', 'functional-ack', 'ticket-return', 'sample'],
          },
        },
      });
    });

    it.each(['0', '-1', '201', '1e9', '1.5', 'x', ''])('takes no page of %s messages', async (limit) => {
      expect(await maria.get(SAMPLE, { limit })).toMatchObject({
        status: 400,
        body: { errors: expect.arrayContaining([expect.objectContaining({ pointer: '/limit' })]) },
      });
    });

    it('refuses a misspelt filter instead of ignoring it, in every list', async () => {
      for (const path of [SAMPLE, '/api/ops/actions', '/api/trace/D1']) {
        expect(await maria.get(path, { staus: 'dead' })).toMatchObject({
          status: 400,
          body: { errors: [{ pointer: '/staus' }] },
        });
      }
    });

    it('takes no cursor of other filters, nor of another lane', async () => {
      await sample.add();
      await sample.add();
      const { next = '' } = (await maria.get<MessagesPage>(SAMPLE, { limit: '1' })).body;
      const [, seal] = Buffer.from(next, 'base64url').toString().split('.');
      const forged = (position: string) => Buffer.from(`${position}.${seal}`).toString('base64url');
      const bad = [
        { cursor: next, status: 'dead' },
        { cursor: forged('1 OR 1=1') },
        { cursor: 'x' },
        { cursor: 'x'.repeat(201) },
      ];
      for (const query of bad) expect((await maria.get(SAMPLE, query)).status).toBe(400);
      expect((await maria.get('/api/ops/lanes/functional-ack/messages', { cursor: next })).status).toBe(400);
    });
  });
});
