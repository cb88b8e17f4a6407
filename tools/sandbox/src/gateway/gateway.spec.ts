import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RunningSandbox } from '../testing/running-sandbox.ts';

const ticket = { businessEntity: 'TCK', businessDocId: '01-0107', phaseCode: 15, weight: 1200 };

let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await RunningSandbox.start();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await sandbox.send('/ledger', { method: 'DELETE' });
});

describe('the gateway takes', () => {
  it.each([
    ['ack', { businessDocId: '01-0107' }],
    ['return', ticket],
    ['ticket', ticket],
  ] as const)('a signed %s, and writes it down without its body', async (kind, content) => {
    const { status, body } = await sandbox.post(kind, content, { key: 'k-1' });

    expect(status).toBe(202);
    expect(body).toEqual({ receiptId: expect.stringMatching(/^[\da-f-]{36}$/) });
    const [entry] = await sandbox.ledger(`kind=${kind}`);
    expect(entry).toMatchObject({
      sequence: 1,
      peer: 'gateway',
      kind,
      businessDocId: '01-0107',
      idempotencyKey: 'k-1',
      bodyDigest: expect.stringMatching(/^[\da-f]{64}$/),
      attempt: 1,
      decision: 'accepted',
      status: 202,
      receiptId: body.receiptId,
    });
    expect(JSON.stringify(entry)).not.toContain('weight');
  });

  it('phase 6 after phase 15, of tickets and returns apart', async () => {
    const later = { ...ticket, phaseCode: 6 };

    expect(await sandbox.post('ticket', ticket)).toMatchObject({ status: 202 });
    expect(await sandbox.post('ticket', later)).toMatchObject({ status: 202 });
    expect(await sandbox.post('return', later)).toMatchObject({
      status: 422,
      body: { reason: 'phase-15-missing' },
    });
  });

  it('several ACKs for one document', async () => {
    const ack = { businessDocId: '01-0107' };

    expect(await sandbox.post('ack', ack, { key: 'a-1' })).toMatchObject({ status: 202 });
    expect(await sandbox.post('ack', ack, { key: 'a-2' })).toMatchObject({ status: 202 });
  });

  it('a body of any declared type, as long as it is JSON', async () => {
    const headers = { 'content-type': 'text/plain' };

    expect(await sandbox.post('ticket', ticket, { headers })).toMatchObject({ status: 202 });
  });
});

describe('the gateway does not believe', () => {
  const otherSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const minutesAway = (minutes: number) => new Date(Date.now() + minutes * 60_000);

  it.each([
    ['another secret', { secret: otherSecret }],
    ['an old signature', { signedAt: minutesAway(-6) }],
    ['a signature from the future', { signedAt: minutesAway(6) }],
    ['a signature for another message', { headers: { 'webhook-id': 'another' } }],
    ['no signature', { headers: { 'webhook-signature': '' } }],
    ['a time that is none', { headers: { 'webhook-timestamp': 'now' } }],
  ])('%s', async (_, options) => {
    expect(await sandbox.post('ticket', ticket, options)).toMatchObject({
      status: 401,
      body: { reason: 'bad-signature' },
    });
    expect(await sandbox.ledger()).toMatchObject([
      { decision: 'refused', reason: 'bad-signature', status: 401, businessDocId: '01-0107' },
    ]);
  });

  it('and remembers nothing of it', async () => {
    await sandbox.post('ticket', ticket, { secret: otherSecret });

    expect(await sandbox.post('ticket', ticket)).toMatchObject({ status: 202 });
  });
});

describe('the gateway refuses', () => {
  it.each([
    ['without', null],
    ['with a malformed', 'two, keys'],
  ])('a message %s Idempotency-Key', async (_, key) => {
    expect(await sandbox.post('ticket', ticket, { key })).toMatchObject({
      status: 400,
      body: { reason: 'no-idempotency-key' },
    });
  });

  it.each(['', '[]', 'null', '"text"', '{"businessDocId":', 'businessDocId=1'])(
    'a body that is no JSON object: %s',
    async (content) => {
      expect(await sandbox.post('ack', content, { key: 'k-1' })).toMatchObject({
        status: 422,
        body: { reason: 'no-json-object' },
      });
    },
  );

  it.each([
    ['ack', {}],
    ['ack', { businessDocId: ' ' }],
    ['ack', { businessDocId: 107 }],
    ['ticket', { ...ticket, businessDocId: undefined }],
    ['ticket', { ...ticket, businessEntity: undefined }],
    ['ticket', { ...ticket, phaseCode: undefined }],
    ['ticket', { ...ticket, phaseCode: 7 }],
    ['return', { ...ticket, phaseCode: '15' }],
    ['return', { ...ticket, businessEntity: '' }],
  ] as const)('an incomplete %s: %j', async (kind, content) => {
    expect(await sandbox.post(kind, content)).toMatchObject({
      status: 422,
      body: { reason: 'missing-fields' },
    });
  });

  it('the same message again, as already processed', async () => {
    const { body } = await sandbox.post('ticket', ticket, { key: 'k-1' });

    expect(await sandbox.post('ticket', ticket, { key: 'k-1' })).toMatchObject({
      status: 409,
      body: { reason: 'already-processed' },
    });
    expect(await sandbox.ledger('kind=ticket')).toMatchObject([
      { decision: 'accepted', attempt: 1 },
      { decision: 'duplicate', attempt: 2, status: 409, receiptId: body.receiptId },
    ]);
    expect(await sandbox.ledger('kind=callback')).toHaveLength(2);
  });

  it('a key that was used for another body, or another kind', async () => {
    await sandbox.post('ticket', ticket, { key: 'k-1' });
    const reused = { status: 422, body: { reason: 'key-reused' } };

    expect(await sandbox.post('ticket', { ...ticket, weight: 1 }, { key: 'k-1' })).toMatchObject(reused);
    expect(await sandbox.post('return', ticket, { key: 'k-1' })).toMatchObject(reused);
  });

  it.each(['ticket', 'return'] as const)('a second %s of one document under another key', async (kind) => {
    await sandbox.post(kind, ticket, { key: 'k-1' });

    expect(await sandbox.post(kind, ticket, { key: 'k-2' })).toMatchObject({
      status: 422,
      body: { reason: 'sent-under-another-key' },
    });
    expect((await sandbox.ledger(`kind=${kind}`)).at(-1)).toMatchObject({
      decision: 'refused',
      reason: 'sent-under-another-key',
      idempotencyKey: 'k-2',
    });
  });

  it('phase 6 before phase 15, but takes it under the same key once phase 15 is there', async () => {
    const later = { ...ticket, phaseCode: 6 };

    expect(await sandbox.post('ticket', later)).toMatchObject({
      status: 422,
      body: { reason: 'phase-15-missing' },
    });
    await sandbox.post('ticket', { ...ticket, businessDocId: 'another' });
    expect(await sandbox.post('ticket', later)).toMatchObject({ status: 422 });
    await sandbox.post('ticket', ticket);
    expect(await sandbox.post('ticket', later)).toMatchObject({ status: 202 });
  });
});
