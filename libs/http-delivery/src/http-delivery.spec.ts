import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpDelivery, type HttpRequest, type SendOptions } from './http-delivery.ts';
import { type Permit } from './exchanged.ts';
import { Sink } from './testing/index.ts';

const TIMEOUT_MS = 400;
const KIB = 1024;

const permitUntil = (signal: AbortSignal): Permit => ({ signal, mayLeave: () => true });
const always = permitUntil(new AbortController().signal);

describe('a delivery over HTTP', () => {
  let sink: Sink;
  let http: HttpDelivery;

  beforeEach(async () => {
    sink = await new Sink().open();
    http = new HttpDelivery({ allowedPrivateHosts: ['127.0.0.1'], timeoutMs: TIMEOUT_MS });
  });

  afterEach(async () => {
    await http.close();
    await sink.close();
  });

  const post = (url = sink.url(), permit = always, options?: SendOptions) =>
    http.send({ method: 'POST', url, body: '{"n":1}' }, permit, options);

  it('sends what it is given and hands back what it is answered', async () => {
    sink.answer = (_request, response) =>
      response.writeHead(201, { 'X-Kind': 'note', 'Set-Cookie': ['a=1', 'b=2'] }).end('olá');
    const request: HttpRequest = {
      method: 'PUT',
      url: sink.url('/notes?year=2026'),
      headers: { 'Content-Type': 'application/xml' },
      body: Buffer.from('<nota/>'),
    };
    expect(await http.send(request, always)).toEqual({
      kind: 'delivered',
      receipt: {
        status: 201,
        headers: expect.objectContaining({ 'x-kind': 'note', 'set-cookie': 'a=1, b=2' }),
        body: Buffer.from('olá'),
        isCut: false,
      },
    });
    expect(sink.received).toMatchObject([
      {
        method: 'PUT',
        path: '/notes?year=2026',
        headers: { 'content-type': 'application/xml', 'content-length': '7' },
        body: '<nota/>',
      },
    ]);
  });

  it.each(['GET', 'HEAD', 'DELETE'] as const)('sends a %s without a body', async (method) => {
    expect(await http.send({ method, url: sink.url() }, always)).toMatchObject({ kind: 'delivered' });
    expect(sink.received).toMatchObject([{ method, body: '' }]);
  });

  it('takes a conflict for what was processed before', async () => {
    sink.answer = (_request, response) => response.writeHead(409).end('known');
    expect(await post()).toMatchObject({
      kind: 'delivered',
      alreadyProcessed: true,
      receipt: { status: 409, body: Buffer.from('known') },
    });
  });

  it('leaves the meaning of an answer to the caller who wants to say it', async () => {
    sink.answer = (_request, response) => response.writeHead(404).end('no such note');
    const judged = await http.send({ method: 'GET', url: sink.url() }, always, {
      judge: (exchanged, now) =>
        exchanged.kind === 'answer'
          ? `${exchanged.answer.status} in ${now.getFullYear() > 2000}`
          : exchanged.kind,
    });
    expect(judged).toBe('404 in true');
  });

  it('quotes the beginning of a refusal, however long it is', async () => {
    sink.answer = (_request, response) => response.writeHead(422).end(`não ${'x'.repeat(500_000)}`);
    const outcome = await post();
    expect(outcome).toMatchObject({ kind: 'failed', blame: 'message', final: true, processed: 'no' });
    const { reason } = outcome as { reason: string };
    expect(reason).toContain('não xxx');
    expect(reason.length).toBeLessThan(400);
  });

  it.each([
    ['all of a body that has just the size', 128 * KIB, undefined, 128 * KIB, false],
    ['no more of a body than is sane', 128 * KIB + 1, undefined, 128 * KIB, true],
    ['as much of a body as the caller wants', 300 * KIB, 200 * KIB, 200 * KIB, true],
    ['nothing of a body', 5, 0, 0, true],
    ['a larger body for who asks for it', 300 * KIB, 400 * KIB, 300 * KIB, false],
  ])('keeps %s', async (_, sent, maxBodyBytes, kept, isCut) => {
    sink.answer = (_request, response) => response.writeHead(200).end('x'.repeat(sent));
    const outcome = await post(sink.url(), always, maxBodyBytes === undefined ? {} : { maxBodyBytes });
    expect(outcome).toMatchObject({ receipt: { body: Buffer.alloc(kept, 'x'), isCut } });
  });

  it('keeps the connection when it reads what it does not keep', async () => {
    const ports = new Set<number | undefined>();
    sink.answer = (_request, response) => {
      ports.add(response.socket?.remotePort);
      response.writeHead(200).end('x'.repeat(64 * KIB));
    };
    for (let n = 0; n < 6; n++) await post(sink.url(), always, { maxBodyBytes: 10 });
    // Two, since a connection that has just answered is not free until the next turn of the event loop.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('takes the status for the answer when the rest drips or breaks off', async () => {
    sink.answer = (_request, response) => {
      response.writeHead(200).write('a');
      const dripping = setInterval(() => response.write('b'), 50);
      response.on('close', () => {
        clearInterval(dripping);
      });
    };
    expect(await post()).toMatchObject({ kind: 'delivered', receipt: { status: 200, isCut: true } });

    sink.answer = (_request, response) => {
      response.writeHead(202, { 'content-length': '100' }).write('begun');
      setTimeout(() => response.destroy(), 20);
    };
    expect(await post()).toMatchObject({
      kind: 'delivered',
      receipt: { status: 202, body: Buffer.from('begun'), isCut: true },
    });
  });

  it('passes on how long the target wants to be left alone', async () => {
    sink.answer = (_request, response) => response.writeHead(429, { 'retry-after': '7' }).end();
    expect(await post()).toMatchObject({ blame: 'target', final: false, retryAfterMs: 7_000 });
  });

  it('does not know what came of a request whose answer does not come in time', async () => {
    sink.answer = () => undefined;
    expect(await post()).toMatchObject({ kind: 'unknown', blame: 'either' });

    const began = performance.now();
    expect(await post(sink.url(), always, { timeoutMs: 100 })).toMatchObject({ kind: 'unknown' });
    expect(await post(sink.url(), { ...always, timeoutMs: 50 })).toMatchObject({ kind: 'unknown' });
    expect(performance.now() - began).toBeLessThan(TIMEOUT_MS);
  });

  it('does not wait for an answer once the lease is lost', async () => {
    sink.answer = () => undefined;
    const lease = new AbortController();
    const delivery = post(sink.url(), permitUntil(lease.signal), { timeoutMs: 60_000 });
    await sleep(50);
    lease.abort();
    expect(await delivery).toMatchObject({ kind: 'unknown', blame: 'either' });
  });

  it('knows that nothing was sent to a target that is not there', async () => {
    const url = sink.url();
    await sink.close();
    expect(await post(url)).toMatchObject({ kind: 'failed', blame: 'target', final: false, processed: 'no' });
  });

  it.each([
    ['not an address'],
    ['ftp://127.0.0.1/'],
    ['http://user:secret@127.0.0.1/'],
    ['http://[::ffff:10.0.0.1]/'],
  ])('refuses %s for good', async (address) => {
    const outcome = await post(address);
    expect(outcome).toMatchObject({ kind: 'failed', blame: 'message', final: true, processed: 'no' });
    expect(outcome).not.toMatchObject({ reason: expect.stringContaining('secret') });
  });

  it('lets a message wait while the name of its target leads into our own network', async () => {
    const url = sink.url().replace('127.0.0.1', 'localhost');
    expect(await post(url)).toMatchObject({
      kind: 'failed',
      blame: 'target',
      final: false,
      processed: 'no',
      reason: expect.stringContaining('ForbiddenAddress'),
    });
    expect(sink.received).toEqual([]);
  });

  it('follows no redirect', async () => {
    sink.answer = (_request, response) => response.writeHead(307, { location: 'http://10.0.0.1/' }).end();
    expect(await post()).toMatchObject({ kind: 'failed', final: true });
  });

  it('sends no header that would break out of its line', async () => {
    const headers = { 'x-note': 'a\r\nx-admin: yes' };
    const outcome = await http.send({ method: 'POST', url: sink.url(), headers }, always);
    expect(outcome).toMatchObject({ kind: 'failed', blame: 'message', final: true, processed: 'no' });
  });

  it('sends nothing any more once it is closed', async () => {
    await post();
    await http.close();
    expect(await post()).toMatchObject({ kind: 'failed', blame: 'either', final: false, processed: 'no' });
    expect(sink.received).toHaveLength(1);
  });
});
