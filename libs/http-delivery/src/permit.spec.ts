import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as HttpsServer } from 'node:https';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpDelivery } from './http-delivery.ts';
import { selfSigned } from './testing/self-signed.ts';

const NOTHING_LEFT = { kind: 'failed', blame: 'either', final: false, processed: 'no' };

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const closed = (server: Server) => new Promise((resolve) => server.close(resolve));

describe('a permit', () => {
  let http: HttpDelivery;
  let server: Server;
  let received: string;
  let accepted: Socket[];
  let url: string;

  beforeEach(async () => {
    http = new HttpDelivery({ allowedPrivateHosts: ['127.0.0.1'], timeoutMs: 2_000 });
    received = '';
    accepted = [];
    server = createServer((socket) => {
      accepted.push(socket);
      socket.on('data', (bytes) => {
        received += bytes.toString('latin1');
        socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      });
    });
    url = `http://127.0.0.1:${await listen(server)}/`;
  });

  afterEach(async () => {
    await http.close();
    for (const socket of accepted) socket.destroy();
    await closed(server);
  });

  const post = (mayLeave: () => boolean, signal = new AbortController().signal) =>
    http.send({ method: 'POST', url, body: 'never mind' }, { signal, mayLeave });

  it('that is not given lets no byte leave, over a new connection or an old one', async () => {
    expect(await post(() => false)).toMatchObject(NOTHING_LEFT);
    expect(received).toBe('');

    expect(await post(() => true)).toMatchObject({ kind: 'delivered' });
    const before = received;
    expect(await post(() => false)).toMatchObject(NOTHING_LEFT);
    expect(await post(() => true)).toMatchObject({ kind: 'delivered' });
    expect(received).toBe(`${before}${before}`);
  });

  it('is asked once, when there is a connection', async () => {
    let connectionsWhenAsked: number[] = [];
    await post(() => {
      connectionsWhenAsked = [...connectionsWhenAsked, accepted.length];
      return true;
    });
    expect(connectionsWhenAsked).toHaveLength(1);
  });

  it('that is withdrawn while the connection is made lets no byte leave', async () => {
    let mayLeave = true;
    const delivery = post(() => mayLeave);
    mayLeave = false;
    expect(await delivery).toMatchObject(NOTHING_LEFT);
    expect(received).toBe('');
  });

  it('that breaks lets no byte leave', async () => {
    const delivery = post(() => {
      throw new Error('the lease cannot be read');
    });
    expect(await delivery).toMatchObject({ kind: 'failed', processed: 'no' });
    expect(received).toBe('');
  });

  it('whose signal was given before, or is given while the connection is made, lets no byte leave', async () => {
    expect(await post(() => true, AbortSignal.abort(new Error('stopping')))).toMatchObject(NOTHING_LEFT);

    const lease = new AbortController();
    const delivery = post(() => true, lease.signal);
    lease.abort();
    expect(await delivery).toMatchObject(NOTHING_LEFT);
    expect(await post(() => true)).toMatchObject({ kind: 'delivered' });
    expect(received.match(/POST/g)).toHaveLength(1);
  });
});

describe('a permit, over a connection that is slow to come about', () => {
  const certificate = selfSigned('slow');
  const { cert, key } = certificate;
  let http: HttpDelivery;
  let target: HttpsServer;
  let door: Server;
  let url: string;
  let requests: number;
  let letIn: () => void;

  beforeEach(async () => {
    http = new HttpDelivery({ allowedPrivateHosts: ['127.0.0.1'], timeoutMs: 2_000 });
    requests = 0;
    target = createTlsServer({ cert, key }, (_request, response) => {
      requests++;
      response.writeHead(204).end();
    });
    const port = await listen(target);
    const opened = new Promise<void>((resolve) => {
      letIn = resolve;
    });
    // Accepts, and does not pass on a byte of the handshake until it is told to.
    door = createServer((socket) => {
      void opened.then(() => {
        const inside = connect(port, '127.0.0.1');
        socket.on('error', () => inside.destroy()).pipe(inside);
        inside.on('error', () => socket.destroy()).pipe(socket);
      });
    });
    url = `https://127.0.0.1:${await listen(door)}/`;
  });

  afterEach(async () => {
    await http.close();
    target.closeAllConnections();
    await Promise.all([closed(door), closed(target)]);
  });

  it.each([
    ['still given', true, 1, { kind: 'delivered' }],
    ['withdrawn', false, 0, NOTHING_LEFT],
  ])('is asked when it has: %s', async (_, remains, expected, outcome) => {
    let mayLeave = true;
    let asked = 0;
    const permit = { signal: new AbortController().signal, mayLeave: () => (asked++, mayLeave) };
    const agent = http.openAgent({ tls: { ca: cert } });
    const delivery = http.send({ method: 'POST', url, body: '{}' }, permit, { agent });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(asked).toBe(0);
    mayLeave = remains;
    letIn();
    expect(await delivery).toMatchObject(outcome);
    expect([asked, requests]).toEqual([1, expected]);
  });
});
