import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CallbackReceiver } from '../testing/callback-receiver.ts';
import { RunningSandbox } from '../testing/running-sandbox.ts';

const ticket = { businessEntity: 'TCK', businessDocId: '01-0107', phaseCode: 15 };
const soon = { callbackDelayMs: [0, 5] };

let receiver: CallbackReceiver;
let sandbox: RunningSandbox;

beforeEach(async () => {
  receiver = new CallbackReceiver();
  await receiver.listen();
  sandbox = await RunningSandbox.start(receiver.url);
  await sandbox.setFaults(soon);
});
afterEach(async () => {
  await sandbox.close();
  await receiver.close();
});

it('says Received, then Success, signed, each with an id of its own', async () => {
  await sandbox.post('ticket', ticket);

  const entries = await sandbox.settledCallbacks();
  const [first, second] = receiver.received;
  expect(first).toMatchObject({
    isSigned: true,
    body: { ...ticket, status: 'Received', code: '100', message: expect.any(String) },
  });
  expect(second).toMatchObject({ isSigned: true, body: { ...ticket, status: 'Success' } });
  expect(first?.webhookId).not.toBe(second?.webhookId);
  expect(String(first?.body.occurredAt) < String(second?.body.occurredAt)).toBe(true);
  expect(entries).toMatchObject([
    {
      ...ticket,
      decision: 'delivered',
      callback: { webhookId: first?.webhookId, status: 'Received', attempts: 1, answers: [200] },
    },
    { ...ticket, decision: 'delivered', callback: { status: 'Success', settledAt: expect.any(String) } },
  ]);
});

it('does not call back about ACKs, returns, or what it refused', async () => {
  await sandbox.post('ack', ticket);
  await sandbox.post('return', ticket);
  await sandbox.post('ticket', { ...ticket, phaseCode: 6 });
  await sleep(50);

  expect(receiver.received).toEqual([]);
  expect(await sandbox.ledger('kind=callback')).toEqual([]);
});

it('waits as long as the dial says', async () => {
  await sandbox.setFaults({ callbackDelayMs: [150, 150] });
  const begun = performance.now();
  await sandbox.post('ticket', ticket);
  await sandbox.settledCallbacks();

  const [first, second] = receiver.received.map(({ at }) => at - begun);
  expect(first).toBeGreaterThan(140);
  expect(second).toBeGreaterThan((first ?? 0) + 140);
});

it.each([[[500, 429, 408]], [[425, 302, 'reset' as const]]])(
  'tries again after %j with the same id and body, and says the next once it got through',
  async (answers) => {
    receiver.answers = [...answers];
    await sandbox.post('ticket', ticket);

    const [entry] = await sandbox.settledCallbacks();
    const tries = receiver.received.slice(0, 4);
    expect(receiver.statuses).toEqual(['Received', 'Received', 'Received', 'Received', 'Success']);
    expect(new Set(tries.map(({ webhookId }) => webhookId)).size).toBe(1);
    expect(new Set(tries.map(({ body }) => body.occurredAt)).size).toBe(1);
    expect(receiver.received.every(({ isSigned }) => isSigned)).toBe(true);
    const seen = answers.map((answer) => (answer === 'reset' ? expect.stringMatching(/[A-Z]/) : answer));
    expect(entry).toMatchObject({
      decision: 'delivered',
      callback: { attempts: 4, answers: [...seen, 200] },
    });
  },
);

it('gets through to somebody who was not there at first', async () => {
  const { port } = receiver;
  await receiver.close();
  await sandbox.post('ticket', ticket);
  let [first] = await sandbox.ledger('kind=callback');
  while (first?.callback?.attempts === 0) [first] = await sandbox.ledger('kind=callback');
  expect(first).toMatchObject({ decision: 'pending', callback: { answers: ['ECONNREFUSED'] } });

  receiver = new CallbackReceiver();
  await receiver.listen(port);

  expect(await sandbox.settledCallbacks()).toMatchObject([
    { decision: 'delivered' },
    { decision: 'delivered' },
  ]);
  expect(receiver.statuses).toEqual(['Received', 'Success']);
});

it.each([400, 401, 404, 409, 422])('gives up after %i, and goes on with the next', async (status) => {
  receiver.answers = [status];
  await sandbox.post('ticket', ticket);

  expect(await sandbox.settledCallbacks()).toMatchObject([
    {
      decision: 'given-up',
      reason: `answered-${status}`,
      callback: { status: 'Received', attempts: 1, answers: [status] },
    },
    { decision: 'delivered', callback: { status: 'Success' } },
  ]);
});

it('says Error with a code and a message when the dial is turned to it', async () => {
  await sandbox.setFaults({ ...soon, callbackError: 1 });
  await sandbox.post('ticket', ticket);
  await sandbox.settledCallbacks();

  expect(receiver.statuses).toEqual(['Received', 'Error']);
  expect(receiver.received[1]?.body).toMatchObject({ code: '900', message: expect.stringMatching(/./) });
});

it('says everything twice under the same id', async () => {
  await sandbox.setFaults({ ...soon, duplicateCallbacks: 1 });
  await sandbox.post('ticket', ticket);
  const entries = await sandbox.settledCallbacks();

  expect(receiver.statuses).toEqual(['Received', 'Received', 'Success', 'Success']);
  const ids = receiver.received.map(({ webhookId }) => webhookId);
  expect([ids[0] === ids[1], ids[1] === ids[2], ids[2] === ids[3]]).toEqual([true, false, true]);
  expect(entries.map(({ fault }) => fault)).toEqual([
    undefined,
    'duplicateCallbacks',
    undefined,
    'duplicateCallbacks',
  ]);
});

it('says Success before Received, though it happened after', async () => {
  await sandbox.setFaults({ ...soon, reorderCallbacks: 1 });
  await sandbox.post('ticket', ticket);
  await sandbox.settledCallbacks();

  expect(receiver.statuses).toEqual(['Success', 'Received']);
  const [success, received] = receiver.received.map(({ body }) => String(body.occurredAt));
  expect(String(success) > String(received)).toBe(true);
});

it('calls back although its answer was lost, and once for all attempts', async () => {
  await sandbox.setFaults({ ...soon, acceptThenFail: 1 });
  expect(await sandbox.post('ticket', ticket)).toMatchObject({ status: 500 });
  expect(await sandbox.post('ticket', ticket)).toMatchObject({ status: 409 });
  await sandbox.settledCallbacks();

  expect(receiver.statuses).toEqual(['Received', 'Success']);
});

it('drops what it still had to say when the ledger is emptied', async () => {
  await sandbox.setFaults({ callbackDelayMs: [100, 100] });
  await sandbox.post('ticket', ticket);
  await sandbox.send('/ledger', { method: 'DELETE' });
  await sleep(250);

  expect(receiver.received).toEqual([]);
  expect(await sandbox.post('ticket', ticket)).toMatchObject({ status: 202 });
});

it('calls back about hundreds of tickets at a time', async () => {
  const ids = Array.from({ length: 500 }, (_, index) => `doc-${index}`);
  const answers = await Promise.all(
    ids.map((businessDocId) => sandbox.post('ticket', { ...ticket, businessDocId })),
  );

  expect(answers.every(({ status }) => status === 202)).toBe(true);
  expect(await sandbox.settledCallbacks()).toHaveLength(1000);
  expect((await sandbox.summary()).gateway?.callback?.decisions).toEqual({ delivered: 1000 });
});
