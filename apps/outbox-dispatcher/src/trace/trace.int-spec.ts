import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CounterpartyEntity } from '@malote/counterparties';
import { OutboxActionEntity, TargetStore } from '@malote/lanes';
import { type SqlParameters } from '@malote/persistence';
import { describeEachEngine } from '@malote/persistence/testing';
import {
  documentOrderKey,
  FunctionalAckOutboxEntity,
  ticketAckKey,
  TicketInterfaceEntity,
  TicketReturnOutboxEntity,
} from '@malote/tickets';
import { ticketRow } from '@malote/tickets/testing';
import { OPERATIONS_TABLES, OperationsClient } from '../operations/testing/operations-client.ts';
import { type TraceView } from './trace.dto.ts';
import { TraceRepository } from './trace.repository.ts';

const TARGET = 'https://gateway.example/';
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

describeEachEngine('tracing a document', OPERATIONS_TABLES, (engine) => {
  let maria: OperationsClient;

  describe('over HTTP', () => {
    beforeAll(async () => {
      maria = await OperationsClient.start(engine.databaseUrl);
    });

    afterAll(() => maria.close());

    const addTicket = async (more: Partial<TicketInterfaceEntity>) => {
      const { identifiers } = await engine.uow.run((tx) =>
        tx.entities.insert(TicketInterfaceEntity, ticketRow(more)),
      );
      return String(identifiers[0]?.id);
    };
    const addAck = async (more: Partial<FunctionalAckOutboxEntity>) => {
      const row = { payloadJson: '{"to":"🚚"}', targetUrl: TARGET, ...more };
      const { identifiers } = await engine.uow.run((tx) =>
        tx.entities.insert(FunctionalAckOutboxEntity, row),
      );
      return String(identifiers[0]?.id);
    };
    const trace = (id: string, query = {}) =>
      maria.get<TraceView>(`/api/trace/${encodeURIComponent(id)}`, query);

    it('gathers from all tables what happened to a document, in time order', async () => {
      const key = { businessEntity: 'TCK', businessDocId: 'Doc-1', phaseCode: 15 };
      const finished = {
        status: 'Processed',
        attemptCount: 1,
        nextAttemptAt: null,
        functionalAckIsRequired: true,
        gatewaySendStatus: 'Sent',
        gatewaySendAttemptCount: 1,
        callbackStatus: 'Success',
        returnStatus: 'Sent',
      } as const;
      await engine.uow.run((tx) =>
        tx.entities.insert(CounterpartyEntity, { businessDocId: 'DOC-1', createdAt: minutesAgo(200) }),
      );
      await addTicket({
        ...key,
        ...finished,
        createdAt: minutesAgo(100),
        processedAt: minutesAgo(98),
        gatewaySendSentAt: minutesAgo(96),
        callbackReceivedAt: minutesAgo(95),
        returnSentAt: minutesAgo(94),
      });
      await addTicket({
        ...key,
        phaseCode: 6,
        createdAt: minutesAgo(50),
        nextAttemptAt: new Date(),
        updatedAt: minutesAgo(50),
      });
      const ackId = await addAck({
        businessDocId: 'doc-1',
        messageKey: ticketAckKey(key),
        createdAt: minutesAgo(100),
        lastAttemptAt: minutesAgo(97),
        status: 'Error',
        attemptCount: 5,
        nextAttemptAt: null,
        lastError: 'HTTP 422 🚚',
      });
      await engine.uow.run(async (tx) => {
        const row = { ...key, payloadJson: '{}', targetUrl: TARGET, attemptCount: 2 };
        await tx.entities.insert(TicketReturnOutboxEntity, {
          ...row,
          status: 'Sent',
          nextAttemptAt: null,
          createdAt: minutesAgo(98),
          sentAt: minutesAgo(94),
        });
        await tx.entities.insert(OutboxActionEntity, {
          lane: 'functional-ack',
          action: 'replay',
          actor: 'maria',
          reason: 'once more',
          selection: JSON.stringify({ ids: [ackId] }),
          affectedCount: 1,
          createdAt: minutesAgo(99),
        });
      });

      const { status, body } = await trace('dOC-1');
      expect(status).toBe(200);
      expect(body.businessDocId).toBe('Doc-1');
      expect(body.state).toMatchObject([
        {
          phaseCode: 15,
          status: 'Processed',
          returnStatus: 'Sent',
          gatewaySendStatus: 'Sent',
          callbackStatus: 'Success',
        },
        {
          phaseCode: 6,
          status: 'Awaiting',
          returnStatus: 'Pending',
          gatewaySendStatus: 'Pending',
          callbackStatus: 'Pending',
        },
      ]);
      expect(body.events.map(({ kind, phaseCode }) => `${kind} ${phaseCode ?? '-'}`)).toEqual([
        'counterparty-received -',
        'ticket-received 15',
        'ack-enqueued 15',
        'replayed -',
        'ticket-processed 15',
        'return-enqueued 15',
        'ack-failed 15',
        'gateway-sent 15',
        'callback-received 15',
        'return-sent 15',
        'ticket-received 6',
      ]);
      expect(body.events[6]).toMatchObject({
        summary: 'Sending the functional ACK of phase 15 failed and gave up: HTTP 422 🚚',
        details: { ackId, attempts: 5, gaveUp: true },
      });
      expect(body.missing).toEqual([
        {
          code: 'ticket-not-processed',
          businessEntity: 'TCK',
          phaseCode: 6,
          message: 'Phase 6 is still Awaiting after 50 minutes.',
        },
        {
          code: 'ack-gave-up',
          businessEntity: 'TCK',
          phaseCode: 15,
          message: 'Sending the functional ACK of phase 15 gave up: HTTP 422 🚚',
        },
      ]);
    });

    it('keeps the documents of two entities apart when asked to', async () => {
      const one = { businessEntity: 'ONE', businessDocId: 'Shared', phaseCode: 15 };
      const two = { ...one, businessEntity: 'TWO' };
      for (const key of [one, two]) {
        await addTicket(key);
        await addAck({
          businessDocId: 'Shared',
          messageKey: ticketAckKey(key),
          orderKey: documentOrderKey(key),
        });
        await addAck({
          businessDocId: 'Shared',
          messageKey: `posted:${key.businessEntity}`,
          orderKey: documentOrderKey(key),
        });
        const row = { ...key, payloadJson: '{}', targetUrl: TARGET };
        await engine.uow.run((tx) => tx.entities.insert(TicketReturnOutboxEntity, row));
      }
      await addTicket({ ...one, businessDocId: 'Shared-2' });

      const both = (await trace('shared')).body;
      expect(both.state).toHaveLength(2);
      expect(both.events).toHaveLength(8);
      const { body } = await trace('shared', { BUSINESSENTITY: 'two' });
      expect(body.state).toMatchObject([{ businessEntity: 'TWO' }]);
      expect(body.events.map(({ kind }) => kind).sort()).toEqual([
        'ack-enqueued',
        'ack-enqueued',
        'return-enqueued',
        'ticket-received',
      ]);
      expect((await trace('shared', { businessEntity: 'THREE' })).status).toBe(404);
    });

    it('knows a document of which there is only an ACK, or only a counterparty', async () => {
      await addAck({ businessDocId: 'A1' });
      await engine.uow.run((tx) =>
        tx.entities.insert(CounterpartyEntity, { businessDocId: 'C1', businessEntity: 'CP' }),
      );
      expect((await trace('a1')).body).toMatchObject({
        state: [],
        events: [{ kind: 'ack-enqueued' }],
        missing: [],
      });
      expect((await trace('c1', { businessEntity: 'cp' })).body).toMatchObject({
        events: [{ kind: 'counterparty-received' }],
      });
    });

    it('finds an ACK somebody posted with its entity and without', async () => {
      const key = { businessEntity: 'TCK', businessDocId: 'A2' };
      await addAck({ businessDocId: 'A2', orderKey: documentOrderKey(key) });
      await addAck({ businessDocId: 'A3' });
      expect((await trace('a2', { businessEntity: 'tck' })).body.events).toMatchObject([
        { kind: 'ack-enqueued' },
      ]);
      expect((await trace('a2')).status).toBe(200);
      expect((await trace('a2', { businessEntity: 'OTHER' })).status).toBe(404);
      expect((await trace('a3', { businessEntity: 'TCK' })).status).toBe(200);
    });

    it('says what holds up an ACK', async () => {
      await addAck({ businessDocId: 'A4' });
      const reason = 'maintenance on Sunday';
      await maria.post('/api/ops/lanes/functional-ack/pause', { reason });
      await maria.post('/api/ops/targets/pause', { target: 'https://gateway.example', reason });
      const targets = new TargetStore(engine.uow);
      await targets.trip('https://gateway.example', 0, 30_000);
      await targets.block(TARGET, 30_000);
      await targets.block('https://gateway.example/other', 30_000);
      expect((await trace('A4')).body.missing.map(({ code }) => code)).toEqual([
        'lane-paused',
        'target-paused',
        'target-down',
        'target-asks-for-patience',
      ]);
    });

    it('tells who discarded what, and does not miss it any more', async () => {
      const dead = { status: 'Error', nextAttemptAt: null, lastError: 'HTTP 422' } as const;
      const ackId = await addAck({ businessDocId: 'A5', ...dead });
      const ticketId = await addTicket({
        businessDocId: 'A5',
        status: 'Processed',
        processedAt: minutesAgo(30),
        returnStatus: 'Sent',
        nextAttemptAt: null,
        gatewaySendStatus: 'Error',
      });
      const gaveUp = ['gateway-gave-up', 'ack-gave-up', 'phase-6-missing'];
      expect((await trace('A5')).body.missing.map(({ code }) => code).sort()).toEqual(gaveUp.sort());

      const reason = 'the branch was closed';
      await maria.post(`/api/ops/lanes/functional-ack/messages/${ackId}/discard`, { reason });
      await maria.post(`/api/ops/lanes/gateway-send/messages/${ticketId}/discard`, { reason });
      const { body } = await trace('A5');
      expect(body.missing.map(({ code }) => code)).toEqual(['phase-6-missing']);
      expect(body.events.filter(({ kind }) => kind === 'discarded')).toMatchObject([
        { summary: `maria discarded it (functional-ack): ${reason}`, details: { ids: [ackId] } },
        { summary: `maria discarded it (gateway-send): ${reason}`, details: { ids: [ticketId] } },
      ]);
    });

    it('finds a document whose id is as long and strange as it may be', async () => {
      const id = `a/b c'%_${'x'.repeat(92)}`;
      await addTicket({ businessDocId: id });
      expect((await trace(id)).status).toBe(200);
      expect((await trace(id.replace('%', 'y'))).status).toBe(404);
    });

    it('says so when nothing is known of a document', async () => {
      expect(await trace('nobody')).toMatchObject({ status: 404, body: { code: 'unknown-document' } });
    });

    it.each(['x'.repeat(101), ' D1', 'D1 ', 'ação', '🚚'])('takes %s for no document', async (id) => {
      expect((await trace(id)).status).toBe(400);
    });

    // What SQLite plans, SQL Server can: the indexes are the same.
    (engine.name === 'sqlite' ? it : it.skip)('reads every table by an index', async () => {
      await addTicket({ businessDocId: 'D1' });
      const plans = await engine.uow.read(async (tx) => {
        const statements: [string, SqlParameters | undefined][] = [];
        const watched = {
          ...tx,
          query: <Row extends object>(sql: string, parameters?: SqlParameters) => {
            statements.push([sql, parameters]);
            return tx.query<Row>(sql, parameters);
          },
        };
        await new TraceRepository().read(watched, { businessDocId: 'D1', businessEntity: 'TCK' });
        const explained: { detail: string }[] = [];
        for (const [sql, parameters] of statements) {
          explained.push(...(await tx.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, parameters)));
        }
        return explained.map(({ detail }) => detail);
      });
      expect(plans.filter((line) => line.startsWith('SEARCH')).length).toBeGreaterThanOrEqual(5);
      expect(plans.filter((line) => /^SCAN (?!json_each|n$)/.test(line))).toEqual([]);
    });
  });
});
