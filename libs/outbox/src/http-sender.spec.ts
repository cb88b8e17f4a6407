import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpSender } from './http-sender.ts';
import { type LaneMessage } from './lane.ts';
import { Sink } from './testing/index.ts';

const TIMEOUT_MS = 400;
const message: LaneMessage = {
  id: '1',
  lane: 'sample',
  target: '',
  attempt: 1,
  suspect: false,
  leaseOwner: 'worker#1',
  messageKey: 'key-1',
  orderKey: null,
  traceParent: null,
  createdAt: new Date(0),
  row: {},
};

describe('a delivery over HTTP', () => {
  let sink: Sink;
  let sender: HttpSender;

  beforeEach(async () => {
    sink = await new Sink().open();
    sender = new HttpSender({
      allowedPrivateHosts: ['127.0.0.1'],
      signingSecrets: [`whsec_${Buffer.alloc(32, 1).toString('base64')}`],
      timeoutMs: TIMEOUT_MS,
    });
  });

  afterEach(async () => {
    await sender.close();
    await sink.close();
  });

  const post = (address = sink.url(), signal = new AbortController().signal) =>
    sender.post(message, address, '{"n":1}', signal);

  it('quotes the beginning of a refusal, however long it is', async () => {
    sink.answer = (_request, response) => response.writeHead(422).end(`não ${'x'.repeat(500_000)}`);
    const outcome = await post();
    expect(outcome).toMatchObject({ kind: 'failed', blame: 'message', final: true });
    const { reason } = outcome as { reason: string };
    expect(reason).toContain('não xxx');
    expect(reason.length).toBeLessThan(400);
  });

  it('takes the status for the answer when the rest drips or breaks off', async () => {
    sink.answer = (_request, response) => {
      response.writeHead(200).write('a');
      const dripping = setInterval(() => response.write('b'), 50);
      response.on('close', () => {
        clearInterval(dripping);
      });
    };
    expect(await post()).toEqual({ kind: 'delivered' });

    sink.answer = (_request, response) => {
      response.writeHead(202, { 'content-length': '100' }).write('begun');
      setTimeout(() => response.destroy(), 20);
    };
    expect(await post()).toEqual({ kind: 'delivered' });
  });

  it('passes on how long the target wants to be left alone', async () => {
    sink.answer = (_request, response) => response.writeHead(429, { 'retry-after': '7' }).end();
    expect(await post()).toMatchObject({ blame: 'target', final: false, retryAfterMs: 7_000 });
  });

  it('gives up on an answer that does not come, and on one that comes after the lease was lost', async () => {
    sink.answer = () => undefined;
    expect(await post()).toMatchObject({ kind: 'failed', final: false, blame: 'either' });

    const lease = new AbortController();
    const began = performance.now();
    const delivery = post(sink.url(), lease.signal);
    await sleep(50);
    lease.abort();
    expect(await delivery).toMatchObject({ kind: 'failed', final: false });
    expect(performance.now() - began).toBeLessThan(TIMEOUT_MS);
  });

  it('sends nothing when the lease is lost already', async () => {
    expect(await post(sink.url(), AbortSignal.abort())).toMatchObject({ kind: 'failed', final: false });
    await sleep(50);
    expect(sink.received).toEqual([]);
  });

  it.each([
    ['not an address'],
    ['ftp://127.0.0.1/'],
    ['http://user:secret@127.0.0.1/'],
    ['http://[::ffff:10.0.0.1]/'],
  ])('refuses %s for good', async (address) => {
    expect(await post(address)).toMatchObject({ kind: 'failed', blame: 'message', final: true });
  });

  it('follows no redirect', async () => {
    sink.answer = (_request, response) => response.writeHead(307, { location: 'http://10.0.0.1/' }).end();
    expect(await post()).toMatchObject({ kind: 'failed', final: true });
  });
});
