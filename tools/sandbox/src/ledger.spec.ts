import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RunningSandbox } from './testing/running-sandbox.ts';

const ticket = { businessEntity: 'TCK', businessDocId: 'doc-1', phaseCode: 15 };

let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await RunningSandbox.start();
  await sandbox.post('ack', { businessDocId: 'doc-1' });
  await sandbox.post('ack', { businessDocId: 'doc-2' });
  await sandbox.post('ack', {}, { key: 'k-3' });
  await sandbox.post('ticket', ticket, { key: 'k-4' });
  await sandbox.post('ticket', ticket, { key: 'k-4' });
  await sandbox.setFaults({ tooMany: 1 });
  await sandbox.post('return', ticket);
});
afterAll(() => sandbox.close());

const sequences = async (query: string) => (await sandbox.ledger(query)).map(({ sequence }) => sequence);

it('keeps what happened in order, and finds it by kind and by document', async () => {
  expect(await sequences('')).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await sequences('peer=gateway&kind=ack')).toEqual([1, 2, 3]);
  expect(await sequences('businessDocId=doc-1')).toEqual([1, 4, 5, 6, 7, 8]);
  expect(await sequences('businessDocId=doc-1&kind=ticket')).toEqual([4, 7]);
  expect(await sequences('businessDocId=doc-9')).toEqual([]);
});

it('is read page by page', async () => {
  const page = async (query: string) => (await sandbox.send(`/ledger?${query}`)).body;

  expect(await page('limit=3')).toMatchObject({ entries: [{}, {}, {}], next: 3 });
  expect(await page('limit=3&after=6')).toMatchObject({ entries: [{}, {}], next: null });
  expect(await page('kind=ack&limit=3')).toMatchObject({ entries: [{}, {}, {}], next: null });
  expect(await page('after=999')).toEqual({ entries: [], next: null });
});

it('counts per kind what was decided, why, and which faults struck', async () => {
  expect((await sandbox.summary()).gateway).toEqual({
    ack: { decisions: { accepted: 2, refused: 1 }, reasons: { 'missing-fields': 1 }, faults: {} },
    ticket: { decisions: { accepted: 1, duplicate: 1 }, reasons: {}, faults: {} },
    return: { decisions: { fault: 1 }, reasons: {}, faults: { tooMany: 1 } },
    callback: { decisions: { pending: 2 }, reasons: {}, faults: {} },
  });
});

it.each(['kind=acks', 'peer=sefaz', 'doc=1', 'after=-1', 'limit=0', 'limit=10001', 'kind=ack&kind=ticket'])(
  'refuses a filter it does not understand: %s',
  async (query) => {
    expect(await sandbox.send(`/ledger?${query}`)).toMatchObject({
      status: 400,
      body: { reason: 'invalid-query' },
    });
  },
);

it('is empty once it is emptied, and so is the memory of keys', async () => {
  await sandbox.send('/faults/gateway', { method: 'DELETE' });

  expect(await sandbox.send('/ledger', { method: 'DELETE' })).toMatchObject({ status: 204 });
  expect(await sandbox.ledger()).toEqual([]);
  expect(await sandbox.summary()).toEqual({});
  expect(await sandbox.post('ack', { businessDocId: 'doc-1' })).toMatchObject({ status: 202 });
  expect(await sandbox.ledger()).toMatchObject([{ sequence: 1, attempt: 1 }]);
});
