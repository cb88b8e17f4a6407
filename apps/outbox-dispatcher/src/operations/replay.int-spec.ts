import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SampleOutboxEntity } from '@malote/lanes/testing';
import { describeEachEngine } from '@malote/persistence/testing';
import { TicketInterfaceEntity, TicketReturnOutboxEntity } from '@malote/tickets';
import { ticketRow } from '@malote/tickets/testing';
import { type DeadPreview } from './dead-messages.dto.ts';
import { type MessageDetailView } from './message.dto.ts';
import { OPERATIONS_TABLES, OperationsClient } from './testing/operations-client.ts';
import { SampleRows, TARGET } from './testing/sample-rows.ts';

const LANE = '/api/ops/lanes/sample';
const reason = 'the gateway was fixed';

describeEachEngine('bringing dead messages back', OPERATIONS_TABLES, (engine) => {
  let maria: OperationsClient;
  let joao: OperationsClient;
  const sample = new SampleRows(engine);

  describe('over HTTP', () => {
    beforeAll(async () => {
      maria = await OperationsClient.start(engine.databaseUrl);
      joao = await OperationsClient.start(engine.databaseUrl, {
        subject: 'joão 🚚'.padEnd(300, '.'),
      });
    });

    afterAll(async () => {
      await maria.close();
      await joao.close();
    });

    it('puts one back with fresh attempts, on record', async () => {
      const id = await sample.addDead();
      await sample.addDead();
      expect(await maria.post(`${LANE}/messages/${id}/replay`, { reason })).toEqual({
        status: 200,
        body: { replayed: 1 },
      });
      expect(await sample.all()).toMatchObject([{ status: 'Pending', attemptCount: 0 }, { status: 'Error' }]);
      const { body } = await maria.get<MessageDetailView>(`${LANE}/messages/${id}`);
      expect(body.actions).toMatchObject([
        {
          action: 'replay',
          lane: 'sample',
          target: null,
          actor: 'maria',
          reason,
          affected: 1,
          selection: { ids: [id] },
        },
      ]);
    });

    it.each([
      ['Pending', { status: 'Pending', nextAttemptAt: new Date() }],
      ['parked', { status: 'Pending', nextAttemptAt: null }],
      ['Sending', { status: 'Sending', nextAttemptAt: new Date(), leaseOwner: 'w#1' }],
      ['Error', { status: 'Error', nextAttemptAt: new Date() }],
      ['Sent', { status: 'Sent' }],
    ] as const)('leaves one alone that is %s, and says so', async (status, row) => {
      const id = await sample.addDead(row);
      expect(await maria.post(`${LANE}/messages/${id}/replay`, { reason })).toMatchObject({
        status: 409,
        body: {
          code: 'message-not-dead',
          detail: `Message ${id} of sample is ${status}; only a dead or discarded one can be replayed`,
          details: { status },
        },
      });
      expect(await sample.all()).toMatchObject([{ status: row.status, attemptCount: 5 }]);
      expect(await sample.actions()).toEqual([]);
    });

    it('brings back one that was discarded, when it is named', async () => {
      const id = await sample.addDead({ discardedAt: new Date() });
      await sample.addDead({ discardedAt: new Date() });
      expect(await maria.post(`${LANE}/replay`, { reason, ids: [id] })).toMatchObject({
        body: { replayed: 0 },
      });
      expect(await sample.actions()).toEqual([]);

      const answer = await maria.post(`${LANE}/messages/${id}/replay`, { reason });
      expect(answer).toEqual({ status: 200, body: { replayed: 1 } });
      expect(await sample.all()).toMatchObject([
        { status: 'Pending', attemptCount: 0, discardedAt: null, nextAttemptAt: expect.any(Date) },
        { status: 'Error', discardedAt: expect.any(Date) },
      ]);
      expect(await sample.actions()).toMatchObject([{ action: 'replay', actor: 'maria', affectedCount: 1 }]);
    });

    it('finds no message that is not there', async () => {
      expect(await maria.post(`${LANE}/messages/4711/replay`, { reason })).toMatchObject({
        status: 404,
        body: { code: 'unknown-message' },
      });
    });

    it('shows what a filter selects before anything is done', async () => {
      const wanted = [await sample.addDead({ messageKey: 'a' }), await sample.addDead({ messageKey: null })];
      await sample.addDead({ lastError: 'HTTP 400' });
      await sample.addDead({ status: 'Sent' });
      await sample.addDead({ discardedAt: new Date() });
      await sample.addDead({ targetUrl: 'https://other.example/' });

      const { body } = await maria.post<DeadPreview>(`${LANE}/dead-preview`, {
        TARGET,
        errorcontains: 'http 422',
      });
      expect(body.matching).toBe(2);
      expect(body.first).toMatchObject([
        { id: wanted[0], messageKey: 'a', attempts: 5, lastError: 'HTTP 422' },
        { id: wanted[1], messageKey: null },
      ]);
      expect(await sample.actions()).toEqual([]);
    });

    it('shows the first twenty of many', async () => {
      for (let n = 0; n < 21; n += 1) await sample.addDead({ messageKey: `k${n}` });
      const { body } = await maria.post<DeadPreview>(`${LANE}/dead-preview`, {});
      expect(body.matching).toBe(21);
      expect(body.first.map(({ messageKey }) => messageKey)).toEqual(
        Array.from({ length: 20 }, (_, n) => `k${n}`),
      );
    });

    it('replays what the preview showed', async () => {
      const ids = [
        await sample.addDead(),
        await sample.addDead(),
        await sample.addDead({ lastError: 'HTTP 400' }),
      ];
      const answer = await maria.post(`${LANE}/replay`, { reason, errorContains: '422', expected: 2 });
      expect(answer).toEqual({ status: 200, body: { replayed: 2 } });
      expect(await sample.statuses()).toEqual(['Pending', 'Pending', 'Error']);
      expect(await sample.actions()).toMatchObject([
        {
          lane: 'sample',
          action: 'replay',
          actor: 'maria',
          affectedCount: 2,
          selection: JSON.stringify({ errorContains: '422', ids: ids.slice(0, 2) }),
        },
      ]);
    });

    it.each([0, 1, 3])('replays nothing when %i were expected and two match', async (expected) => {
      await sample.addDead();
      await sample.addDead();
      expect(await maria.post(`${LANE}/replay`, { reason, expected })).toMatchObject({
        status: 409,
        body: { code: 'not-as-expected', details: { expected, matching: 2 } },
      });
      expect(await sample.statuses()).toEqual(['Error', 'Error']);
      expect(await sample.actions()).toEqual([]);
    });

    it('replays each message once when two people do it at once', async () => {
      for (let n = 0; n < 30; n += 1) await sample.addDead();
      const answers = await Promise.all([
        maria.post<{ replayed?: number }>(`${LANE}/replay`, { reason }),
        joao.post<{ replayed?: number }>(`${LANE}/replay`, { reason }),
      ]);
      const replayed = answers.map(({ body }) => body.replayed ?? 0);
      expect(replayed.reduce((a, b) => a + b)).toBe(30);
      expect(new Set(await sample.statuses())).toEqual(new Set(['Pending']));
      const recorded = (await sample.actions()).map(({ affectedCount }) => affectedCount);
      expect(recorded.reduce((a, b) => a + b)).toBe(30);
    });

    it('replays more than one batch, each row on record', async () => {
      const many = Array.from({ length: 501 }, (): Partial<SampleOutboxEntity> => ({
        payloadJson: '{}',
        targetUrl: TARGET,
        status: 'Error',
        nextAttemptAt: null,
      }));
      await engine.uow.run(async (tx) => {
        for (let from = 0; from < many.length; from += 100) {
          await tx.entities.insert(SampleOutboxEntity, many.slice(from, from + 100));
        }
      });
      const answer = await maria.post(`${LANE}/replay`, { reason, expected: 501 });
      expect(answer).toEqual({ status: 200, body: { replayed: 501 } });
      expect((await sample.actions()).map(({ affectedCount }) => affectedCount)).toEqual([500, 1]);
      const last = (await sample.all()).at(-1)?.id ?? '';
      const { body } = await maria.get<MessageDetailView>(`${LANE}/messages/${last}`);
      expect(body.actions).toHaveLength(1);
    });

    it('shows on a message what was done to it, not what was done to a target of that name', async () => {
      const id = await sample.addDead();
      await sample.addDead({ targetUrl: id });
      await maria.post(`${LANE}/replay`, { reason, target: id });
      expect((await maria.get<MessageDetailView>(`${LANE}/messages/${id}`)).body.actions).toEqual([]);
    });

    it('mirrors a replayed return on its ticket', async () => {
      const key = { businessEntity: 'TCK', businessDocId: 'D1', phaseCode: 15 };
      const id = await engine.uow.run(async (tx) => {
        await tx.entities.insert(TicketInterfaceEntity, ticketRow({ ...key, returnStatus: 'Error' }));
        const row = {
          ...key,
          payloadJson: '{}',
          targetUrl: TARGET,
          status: 'Error',
          nextAttemptAt: null,
        } as const;
        return String((await tx.entities.insert(TicketReturnOutboxEntity, row)).identifiers[0]?.id);
      });
      await maria.post(`/api/ops/lanes/ticket-return/messages/${id}/replay`, { reason });
      const [ticket] = await engine.uow.read((tx) => tx.entities.find(TicketInterfaceEntity));
      expect(ticket).toMatchObject({ returnStatus: 'Pending' });
    });

    it('keeps the beginning of a name that is too long, and characters a column may not have', async () => {
      const id = await sample.addDead();
      const why = `${'🚚'.repeat(249)}ok`;
      expect((await joao.post(`${LANE}/messages/${id}/replay`, { reason: why })).status).toBe(200);
      const [action] = await sample.actions();
      expect(action).toMatchObject({ reason: why, actor: expect.stringMatching(/^joão .*\.$/) });
      expect(action?.actor.length).toBeLessThanOrEqual(100);
    });

    it.each([
      ['no reason', {}, '/reason'],
      ['a short reason', { reason: 'why?' }, '/reason'],
      ['blanks for a reason', { reason: '         ' }, '/reason'],
      ['a reason that is too long', { reason: 'x'.repeat(501) }, '/reason'],
      ['a reason of too many emoji', { reason: '🚚'.repeat(251) }, '/reason'],
      ['a reason that is no text', { reason: ['because'] }, '/reason'],
      ['a misspelt filter', { reason, errorContain: 'x' }, '/errorContain'],
      ['null for ids', { reason, ids: null }, '/ids'],
      ['null for a target', { reason, target: null }, '/target'],
      ['null for an error', { reason, errorContains: null }, '/errorContains'],
      ['an empty error', { reason, errorContains: '' }, '/errorContains'],
      ['an error with an emoji', { reason, errorContains: '🚚' }, '/errorContains'],
      ['a number for an id', { reason, ids: [1] }, '/ids'],
      ['an id that is too large', { reason, ids: ['9223372036854775808'] }, '/ids'],
      ['too many ids', { reason, ids: Array.from({ length: 1001 }, () => '1') }, '/ids'],
      ['a day that does not exist', { reason, createdFrom: '2026-02-30' }, '/createdFrom'],
      ['a negative number of rows', { reason, expected: -1 }, '/expected'],
      ['text for a number of rows', { reason, expected: '2' }, '/expected'],
      ['null for a number of rows', { reason, expected: null }, '/expected'],
    ])('refuses %s', async (_, body, pointer) => {
      await sample.addDead();
      const answer = await maria.post<{ errors: { pointer: string }[] }>(`${LANE}/replay`, body);
      expect(answer.status).toBe(400);
      expect(new Set(answer.body.errors.map((error) => error.pointer))).toEqual(new Set([pointer]));
      expect(await sample.statuses()).toEqual(['Error']);
    });

    it('refuses a target where there is none, instead of changing everything', async () => {
      const path = '/api/ops/lanes/ticket-processing';
      for (const action of ['replay', 'discard', 'dead-preview']) {
        const body = action === 'dead-preview' ? { target: 'x' } : { reason, target: 'x' };
        expect(await maria.post(`${path}/${action}`, body)).toMatchObject({
          status: 400,
          body: { code: 'lane-has-no-target' },
        });
      }
    });

    it('replays nothing for an empty list of ids', async () => {
      await sample.addDead();
      expect((await maria.post(`${LANE}/replay`, { reason, ids: [] })).body).toEqual({ replayed: 0 });
      expect(await sample.statuses()).toEqual(['Error']);
    });
  });
});
