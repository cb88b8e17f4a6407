import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { faultOf, RunningSandbox } from '../testing/running-sandbox.ts';

const ack = { businessDocId: '01-0107' };
const key = 'k-1';

let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await RunningSandbox.start();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await sandbox.send('/ledger', { method: 'DELETE' });
  await sandbox.send('/faults/gateway', { method: 'DELETE' });
});

/** Whether the gateway has stored the message: only then is the next one a duplicate. */
async function isStored(): Promise<boolean> {
  await sandbox.send('/faults/gateway', { method: 'DELETE' });
  return (await sandbox.post('ack', ack, { key })).status === 409;
}

describe('before anything is stored', () => {
  it.each(['down', 'reset'] as const)('%s breaks the connection', async (fault) => {
    await sandbox.setFaults({ [fault]: fault === 'down' ? true : 1 });

    expect(await faultOf(sandbox.post('ack', ack, { key }))).toMatch(/^(ECONNRESET|UND_ERR_SOCKET)$/);
    expect(await sandbox.ledger()).toMatchObject([
      { kind: 'ack', idempotencyKey: key, decision: 'fault', fault, status: null },
    ]);
    expect(await isStored()).toBe(false);
  });

  it('serverError answers 5xx', async () => {
    await sandbox.setFaults({ serverError: 1 });
    const { status } = await sandbox.post('ack', ack, { key });

    expect([500, 502, 503, 504]).toContain(status);
    expect(await sandbox.ledger()).toMatchObject([{ decision: 'fault', fault: 'serverError', status }]);
    expect(await isStored()).toBe(false);
  });

  it('tooMany answers 429 and says when to come back', async () => {
    await sandbox.setFaults({ tooMany: 1, retryAfterSeconds: 7 });
    const { status, headers } = await sandbox.post('ack', ack, { key });

    expect([status, headers.get('retry-after')]).toEqual([429, '7']);
    expect(await isStored()).toBe(false);
  });

  it('latencyMs makes everybody wait', async () => {
    await sandbox.setFaults({ latencyMs: [100, 120] });
    const begun = performance.now();

    expect(await sandbox.post('ack', ack, { key })).toMatchObject({ status: 202 });
    expect(performance.now() - begun).toBeGreaterThan(90);
  });
});

describe('after it is stored', () => {
  it('acceptThenFail answers 500', async () => {
    await sandbox.setFaults({ acceptThenFail: 1 });

    expect(await sandbox.post('ack', ack, { key })).toMatchObject({ status: 500 });
    expect(await sandbox.ledger()).toMatchObject([
      { decision: 'accepted', fault: 'acceptThenFail', status: 500 },
    ]);
    expect(await isStored()).toBe(true);
  });

  it('acceptThenReset breaks the connection', async () => {
    await sandbox.setFaults({ acceptThenReset: 1 });

    expect(await faultOf(sandbox.post('ack', ack, { key }))).toMatch(/^(ECONNRESET|UND_ERR_SOCKET)$/);
    expect(await sandbox.ledger()).toMatchObject([
      { decision: 'accepted', fault: 'acceptThenReset', status: null },
    ]);
    expect(await isStored()).toBe(true);
  });

  it('acceptThenHang leaves the caller waiting, while others are served', async () => {
    await sandbox.setFaults({ acceptThenHang: 1, hangMs: 200 });
    const begun = performance.now();
    const hanging = sandbox.post('ack', ack, { key });
    while ((await sandbox.ledger()).length === 0);

    expect(await sandbox.ledger()).toMatchObject([
      { decision: 'accepted', fault: 'acceptThenHang', status: null },
    ]);
    expect(await isStored()).toBe(true);
    expect(await hanging).toMatchObject({ status: 202 });
    expect(performance.now() - begun).toBeGreaterThan(190);
  });

  it.each(['acceptThenFail', 'acceptThenReset', 'acceptThenHang'])(
    '%s spares what is not accepted',
    async (fault) => {
      await sandbox.post('ack', ack, { key });
      await sandbox.setFaults({ [fault]: 1 });

      expect(await sandbox.post('ack', ack, { key })).toMatchObject({ status: 409 });
      expect(await sandbox.post('ack', {}, { key: 'k-2' })).toMatchObject({ status: 422 });
    },
  );
});

describe('the seed', () => {
  const storm = { reset: 0.2, serverError: 0.2, tooMany: 0.2, acceptThenFail: 0.3 };
  const keys = Array.from({ length: 40 }, (_, index) => `key-${index}`);

  /** What became of three attempts of every key, the keys in the given order or all at a time. */
  async function fates(seed: number, order: readonly string[], isRushed = false): Promise<unknown> {
    await sandbox.send('/ledger', { method: 'DELETE' });
    await sandbox.setFaults({ ...storm, seed });
    const knock = async (name: string) => {
      for (let attempt = 1; attempt <= 3; attempt++) await faultOf(sandbox.post('ack', ack, { key: name }));
    };
    if (isRushed) await Promise.all(order.map(knock));
    else for (const name of order) await knock(name);
    const fateOf = (name: string) =>
      entries
        .filter(({ idempotencyKey }) => idempotencyKey === name)
        .map(({ decision, fault, status }) => [decision, fault, status]);
    const entries = await sandbox.ledger();
    return keys.map(fateOf);
  }

  it('repeats every fate, whatever the order', async () => {
    const first = await fates(7, keys);

    expect(await fates(7, keys.toReversed())).toEqual(first);
    expect(await fates(7, keys, true)).toEqual(first);
  });

  it('makes another storm when it is another', async () => {
    expect(await fates(8, keys)).not.toEqual(await fates(7, keys));
  });

  it('does not count knocking while nobody is there', async () => {
    const first = await fates(7, keys);
    await sandbox.send('/ledger', { method: 'DELETE' });
    await sandbox.setFaults({ down: true });
    await faultOf(sandbox.post('ack', ack, { key: 'key-0' }));
    await sandbox.setFaults({ ...storm, seed: 7 });
    await faultOf(sandbox.post('ack', ack, { key: 'key-0' }));

    const [, entry] = await sandbox.ledger();
    expect([[[entry?.decision, entry?.fault, entry?.status]]]).toEqual([
      (first as unknown[][])[0]?.slice(0, 1),
    ]);
  });
});

describe('the dial', () => {
  const fair = {
    seed: 1,
    latencyMs: [0, 0],
    down: false,
    reset: 0,
    serverError: 0,
    tooMany: 0,
    retryAfterSeconds: 1,
    acceptThenFail: 0,
    acceptThenReset: 0,
    acceptThenHang: 0,
    hangMs: 30_000,
    callbackError: 0,
    duplicateCallbacks: 0,
    reorderCallbacks: 0,
    callbackDelayMs: [50, 250],
  };

  it('shows fair weather, what it is turned to, and fair weather again', async () => {
    expect((await sandbox.send('/faults')).body).toEqual({ gateway: fair });
    expect((await sandbox.setFaults({ reset: 0.5, latencyMs: [1, 2] })).body).toMatchObject({ reset: 0.5 });
    expect((await sandbox.setFaults({ down: true })).body).toEqual({ ...fair, down: true });
    expect((await sandbox.send('/faults')).body).toEqual({ gateway: { ...fair, down: true } });
    expect((await sandbox.send('/faults/gateway', { method: 'DELETE' })).body).toEqual(fair);
  });

  it('names everything that is wrong, and then changes nothing', async () => {
    const { status, body } = await sandbox.setFaults({ down: true, reset: 2, resets: 1, toString: 1 });

    expect(status).toBe(400);
    expect(body.detail).toBe(
      'reset must be a probability from 0 to 1; resets is no fault of this peer; toString is no fault of this peer',
    );
    expect((await sandbox.send('/faults')).body).toEqual({ gateway: fair });
  });

  it.each([
    { seed: 1.5 },
    { latencyMs: [5, 1] },
    { latencyMs: 5 },
    { latencyMs: [1, 2, 3] },
    { callbackDelayMs: [-1, 2] },
    { down: 1 },
    { serverError: '1' },
    { tooMany: -0.1 },
    { retryAfterSeconds: null },
    { hangMs: 1e12 },
    [],
  ])('refuses %j', async (faults) => {
    expect(await sandbox.setFaults(faults)).toMatchObject({ status: 400 });
  });

  it('is none for somebody who is not here', async () => {
    expect(await sandbox.send('/faults/sefaz', { method: 'DELETE' })).toMatchObject({ status: 404 });
  });
});
