import { type LaneMessage, LaneStore, Operations, Outbox, type Settlement } from '@malote/lanes';
import { type Tx } from '@malote/persistence';
import { describeEachEngine } from '@malote/persistence/testing';
import { beforeEach, expect, it } from '@jest/globals';
import { TicketInterfaceEntity } from './ticket-interface.entity.ts';
import { documentOrderKey, ticketReturnKey } from './ticket-keys.ts';
import { ticketReturn } from './ticket-lanes.ts';
import { TicketReturnOutboxEntity } from './ticket-return-outbox.entity.ts';
import { TICKET_TABLES, ticketRow } from './testing/index.ts';

const TARGET = 'https://gateway.example/ticket-return';
const LEASE_MS = 60_000;

type Verdict = Settlement['verdict'];

const key = { businessEntity: 'TCK', businessDocId: 'D1', phaseCode: 15 };

describeEachEngine('a ticket shows its return', { entities: [...TICKET_TABLES] }, (engine) => {
  let outbox: Outbox;
  let returns: LaneStore;

  beforeEach(async () => {
    outbox = new Outbox();
    returns = new LaneStore(ticketReturn, engine.uow);
    await store(key);
  });

  const store = (ticket: Partial<TicketInterfaceEntity>) =>
    engine.uow.run((tx) => tx.entities.save(TicketInterfaceEntity, ticketRow(ticket)));
  const enqueue = (of = key) =>
    engine.uow.run((tx) =>
      outbox.enqueue(tx, ticketReturn, {
        messageKey: ticketReturnKey(of),
        orderKey: documentOrderKey(of),
        targetUrl: TARGET,
        payload: '{}',
        columns: {
          BusinessEntity: of.businessEntity,
          BusinessDocId: of.businessDocId,
          PhaseCode: of.phaseCode,
        },
      }),
    );
  const claim = (owner = 'worker#1', leaseMs = LEASE_MS) =>
    engine.uow.run((tx) => returns.claim(tx, { targets: [TARGET], owner, limit: 10, leaseMs }));
  const settleIn = (tx: Tx, messages: readonly LaneMessage[], verdict: Verdict, error: string | null) =>
    returns.settle(
      tx,
      messages.map((message) => ({ message, verdict, delayMs: 0, error, isCertain: true })),
    );
  const settle = (messages: readonly LaneMessage[], verdict: Verdict, error: string | null = null) =>
    engine.uow.run((tx) => settleIn(tx, messages, verdict, error));

  const shown = async (of = key) => {
    const ticket = await engine.uow.read((tx) => tx.entities.findOneByOrFail(TicketInterfaceEntity, of));
    return {
      status: ticket.returnStatus,
      attemptCount: ticket.returnAttemptCount,
      lastError: ticket.returnLastError,
      sentAt: ticket.returnSentAt,
      lastAttemptAt: ticket.returnLastAttemptAt,
    };
  };
  const stored = async (of = key) => {
    const row = await engine.uow.read((tx) => tx.entities.findOneByOrFail(TicketReturnOutboxEntity, of));
    const { status, attemptCount, lastError, sentAt, lastAttemptAt } = row;
    return { status, attemptCount, lastError, sentAt, lastAttemptAt };
  };

  it('from the moment it is claimed', async () => {
    await enqueue();
    expect(await shown()).toEqual(await stored());
    await claim();
    expect(await shown()).toMatchObject({ status: 'Sending', attemptCount: 1, sentAt: null });
    expect((await shown()).lastAttemptAt).toBeInstanceOf(Date);
    expect(await shown()).toEqual(await stored());
  });

  it.each<[Verdict, string | null, object]>([
    ['done', null, { status: 'Sent', attemptCount: 1, lastError: null, sentAt: expect.any(Date) }],
    ['retry', 'HTTP 500', { status: 'Error', attemptCount: 1, lastError: 'HTTP 500', sentAt: null }],
    ['dead', 'HTTP 422 🚚', { status: 'Error', attemptCount: 1, lastError: 'HTTP 422 🚚', sentAt: null }],
    ['refund', 'away', { status: 'Pending', attemptCount: 0, lastError: 'away', sentAt: null }],
  ])('as %s once it is settled so', async (verdict, error, expected) => {
    await enqueue();
    await settle(await claim(), verdict, error);
    expect(await shown()).toMatchObject(expected);
    expect(await shown()).toEqual(await stored());
  });

  it('pending again when a person replays it', async () => {
    await enqueue();
    await settle(await claim(), 'dead', 'HTTP 422');
    const operator = { actor: 'maria', reason: 'the gateway was fixed' };
    expect(await new Operations(engine.uow, outbox).replay(ticketReturn, {}, operator)).toBe(1);
    expect(await shown()).toMatchObject({ status: 'Pending', attemptCount: 0 });
    expect(await shown()).toEqual(await stored());
  });

  it('and says when it changed', async () => {
    await enqueue();
    await engine.uow.run((tx) =>
      tx.entities.update(TicketInterfaceEntity, key, { updatedAt: new Date('2020-01-01T00:00:00Z') }),
    );
    await claim();
    const ticket = await engine.uow.read((tx) => tx.entities.findOneByOrFail(TicketInterfaceEntity, key));
    expect(ticket.updatedAt.getUTCFullYear()).toBeGreaterThan(2020);
  });

  it('as before when settling it is rolled back', async () => {
    await enqueue();
    const claimed = await claim();
    const before = await shown();
    let inside: string | undefined;
    const failing = engine.uow.run(async (tx) => {
      await settleIn(tx, claimed, 'done', null);
      inside = (await tx.entities.findOneByOrFail(TicketInterfaceEntity, key)).returnStatus;
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(inside).toBe('Sent');
    expect(await shown()).toEqual(before);
    expect(await stored()).toEqual(before);
  });

  it('as its owner left it when a worker that lost the row settles late', async () => {
    await enqueue();
    const late = await claim('late#1', -1);
    await claim();
    await settle(late, 'dead', 'too late');
    expect(await shown()).toMatchObject({ status: 'Sending', attemptCount: 1 });
  });

  it('on the ticket it is of, in any spelling, and on no other', async () => {
    const others = [
      { ...key, phaseCode: 6 },
      { ...key, businessDocId: 'D2' },
      { ...key, businessEntity: 'OTHER' },
    ];
    for (const other of others) await store(other);
    await enqueue({ ...key, businessEntity: 'tck', businessDocId: 'd1' });
    await settle(await claim(), 'done');
    expect(await shown()).toMatchObject({ status: 'Sent' });
    for (const other of others) expect(await shown(other)).toMatchObject({ status: 'Pending', sentAt: null });
  });

  it('although it was settled together with others', async () => {
    const keys = ['D1', 'D2', 'D3'].map((businessDocId) => ({ ...key, businessDocId }));
    for (const other of keys.slice(1)) await store(other);
    for (const one of keys) await enqueue(one);
    const [first, ...rest] = await claim();
    await engine.uow.run(async (tx) => {
      await settleIn(tx, first ? [first] : [], 'dead', 'refused');
      await settleIn(tx, rest, 'done', null);
    });
    const statuses = await Promise.all(keys.map(async (one) => (await shown(one)).status));
    expect(statuses).toEqual(['Error', 'Sent', 'Sent']);
  });
});
