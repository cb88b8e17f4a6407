import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LaneStore } from '@malote/lanes';
import { describeEachEngine } from '@malote/persistence/testing';
import { TicketInterfaceEntity, ticketProcessing } from '@malote/tickets';
import { ticketRow } from '@malote/tickets/testing';
import { type ActionsPage } from './action.dto.ts';
import { type DeadPreview } from './dead-messages.dto.ts';
import { type LanesView } from './lane.dto.ts';
import { type MessageDetailView } from './message.dto.ts';
import { OPERATIONS_TABLES, OperationsClient } from './testing/operations-client.ts';
import { SampleRows } from './testing/sample-rows.ts';

const LANE = '/api/ops/lanes/sample';
const reason = 'the branch was closed';

describeEachEngine('discarding dead messages', OPERATIONS_TABLES, (engine) => {
  let maria: OperationsClient;
  const sample = new SampleRows(engine);

  describe('over HTTP', () => {
    beforeAll(async () => {
      maria = await OperationsClient.start(engine.databaseUrl);
    });

    afterAll(() => maria.close());

    const discard = (id: string) => maria.post(`${LANE}/messages/${id}/discard`, { reason });
    const show = async (id: string) => (await maria.get<MessageDetailView>(`${LANE}/messages/${id}`)).body;

    it('takes one out, on record', async () => {
      const id = await sample.addDead();
      const other = await sample.addDead();
      expect(await discard(id)).toEqual({ status: 200, body: { discarded: 1 } });
      expect(await show(id)).toMatchObject({
        status: 'discarded',
        discardedAt: expect.any(String),
        lastError: 'HTTP 422',
        attempts: 5,
        actions: [{ action: 'discard', lane: 'sample', actor: 'maria', reason, affected: 1 }],
      });
      expect(await show(other)).toMatchObject({ status: 'dead', discardedAt: null, actions: [] });
      const { body } = await maria.get<ActionsPage>('/api/ops/actions', { action: 'discard' });
      expect(body.items).toMatchObject([{ lane: 'sample', selection: { ids: [id] } }]);
    });

    it('lets a key go on without it', async () => {
      const blocking = await sample.addDead({ orderKey: 'doc' });
      const waiting = { orderKey: 'doc', status: 'Pending', nextAttemptAt: null } as const;
      const behind = [await sample.add(waiting), await sample.add(waiting)];
      const elsewhere = await sample.add({ ...waiting, orderKey: 'other' });
      await discard(blocking);
      const states: string[] = [];
      for (const id of [...behind, elsewhere]) states.push((await show(id)).status);
      expect(states).toEqual(['Pending', 'parked', 'parked']);
    });

    it.each([
      ['Pending', { status: 'Pending', nextAttemptAt: new Date() }],
      ['parked', { status: 'Pending' }],
      ['Sending', { status: 'Sending', nextAttemptAt: new Date(), leaseOwner: 'w#1' }],
      ['Error', { status: 'Error', nextAttemptAt: new Date() }],
      ['Sent', { status: 'Sent' }],
      ['discarded', { discardedAt: new Date() }],
    ] as const)('leaves one alone that is %s, and says so', async (status, row) => {
      const id = await sample.addDead(row);
      const before = await sample.all();
      expect(await discard(id)).toMatchObject({
        status: 409,
        body: {
          code: 'message-not-dead',
          detail: `Message ${id} of sample is ${status}; only a dead one can be discarded`,
          details: { status },
        },
      });
      expect(await sample.all()).toEqual(before);
      expect(await sample.actions()).toEqual([]);
    });

    it('finds no message that is not there', async () => {
      expect(await discard('4711')).toMatchObject({ status: 404, body: { code: 'unknown-message' } });
    });

    it('is not undone by a bulk replay, but by a replay of this very message', async () => {
      const id = await sample.addDead();
      await discard(id);
      const preview = await maria.post<DeadPreview>(`${LANE}/dead-preview`, {});
      expect(preview.body).toEqual({ matching: 0, first: [] });
      expect((await maria.post(`${LANE}/replay`, { reason })).body).toEqual({ replayed: 0 });
      expect((await show(id)).status).toBe('discarded');

      expect((await maria.post(`${LANE}/messages/${id}/replay`, { reason })).body).toEqual({ replayed: 1 });
      const brought = await show(id);
      expect(brought).toMatchObject({ status: 'Pending', attempts: 0, discardedAt: null });
      expect(brought.actions.map(({ action }) => action)).toEqual(['discard', 'replay']);
    });

    it('brings back one that waits behind others of its key', async () => {
      const first = await sample.add({ orderKey: 'doc' });
      const id = await sample.addDead({ orderKey: 'doc', discardedAt: new Date() });
      await maria.post(`${LANE}/messages/${id}/replay`, { reason });
      expect([(await show(first)).status, (await show(id)).status]).toEqual(['Pending', 'parked']);
    });

    it('is no unfinished message any more', async () => {
      await discard(await sample.addDead());
      await sample.addDead();
      const { body } = await maria.get<LanesView>('/api/ops/lanes');
      expect(body.totals).toEqual({ unfinished: 1, dead: 1, parked: 0, paused: 0 });
    });

    it('takes out what the preview showed', async () => {
      const ids = [await sample.addDead(), await sample.addDead()];
      const kept = await sample.addDead({ lastError: 'HTTP 400' });
      const filter = { errorContains: '422' };
      expect((await maria.post<DeadPreview>(`${LANE}/dead-preview`, filter)).body.matching).toBe(2);
      const answer = await maria.post(`${LANE}/discard`, { ...filter, reason, expected: 2 });
      expect(answer).toEqual({ status: 200, body: { discarded: 2 } });
      for (const id of ids) expect((await show(id)).status).toBe('discarded');
      expect((await show(kept)).status).toBe('dead');
      expect(await sample.actions()).toMatchObject([
        {
          action: 'discard',
          actor: 'maria',
          reason,
          affectedCount: 2,
          selection: JSON.stringify({ ...filter, ids }),
        },
      ]);
    });

    it.each([0, 1, 3])('takes nothing out when %i were expected and two match', async (expected) => {
      await sample.addDead();
      await sample.addDead();
      expect(await maria.post(`${LANE}/discard`, { reason, expected })).toMatchObject({
        status: 409,
        body: { code: 'not-as-expected', details: { expected, matching: 2 } },
      });
      expect((await sample.all()).map(({ discardedAt }) => discardedAt)).toEqual([null, null]);
      expect(await sample.actions()).toEqual([]);
    });

    it.each(['discard', 'messages/1/discard'])('asks for a reason: %s', async (path) => {
      await sample.addDead();
      const { status, body } = await maria.post<{ errors: unknown }>(`${LANE}/${path}`, {});
      expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer: '/reason' })]]);
    });

    it('leaves a phase 6 waiting for its phase 15, which is the order of its document', async () => {
      const dead = { status: 'Error', nextAttemptAt: null } as const;
      const insert = (ticket: Partial<TicketInterfaceEntity>) =>
        engine.uow.run(async (tx) => {
          const { identifiers } = await tx.entities.insert(TicketInterfaceEntity, ticketRow(ticket));
          return String(identifiers[0]?.id);
        });
      const id = await insert(dead);
      await insert({ phaseCode: 6, nextAttemptAt: null });
      const { body } = await maria.post(`/api/ops/lanes/ticket-processing/messages/${id}/discard`, {
        reason,
      });
      expect(body).toEqual({ discarded: 1 });
      expect(await new LaneStore(ticketProcessing, engine.uow).adopt()).toMatchObject({ adopted: 0 });
      const tickets = await engine.uow.read((tx) => tx.entities.find(TicketInterfaceEntity));
      expect(tickets.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([null, null]);
    });
  });
});
