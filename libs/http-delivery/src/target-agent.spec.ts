import { createServer, type Server } from 'node:https';
import { type AddressInfo } from 'node:net';
import { type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpDelivery } from './http-delivery.ts';
import { type TargetAgent, type TargetTls } from './target-agent.ts';
import { selfSigned } from './testing/self-signed.ts';

interface Visit {
  readonly name: unknown;
  readonly port: number | undefined;
  readonly authorization: string | undefined;
}

const own = selfSigned('target');
const one = selfSigned('one');
const two = selfSigned('two');
const permit = { signal: new AbortController().signal, mayLeave: () => true };

describe('an agent', () => {
  let server: Server;
  let url: string;
  let visits: Visit[];
  let http: HttpDelivery;

  beforeAll(async () => {
    const tls = { cert: own.cert, key: own.key, requestCert: true, rejectUnauthorized: true };
    server = createServer({ ...tls, ca: [one.cert, two.cert] }, (request, response) => {
      const { authorization } = request.headers;
      const socket = request.socket as TLSSocket;
      visits.push({ name: socket.getPeerCertificate().subject.CN, port: socket.remotePort, authorization });
      response.writeHead(200).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });

  beforeEach(() => {
    visits = [];
    http = new HttpDelivery({ allowedPrivateHosts: ['127.0.0.1'], timeoutMs: 2_000 });
  });

  afterEach(() => http.close());

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const get = (agent?: TargetAgent, headers = {}) =>
    http.send({ method: 'GET', url, headers }, permit, agent ? { agent } : {});
  const as = ({ cert, key }: { cert: string; key: string }) =>
    http.openAgent({ tls: { cert, key, ca: own.cert } });

  it('shows its certificate, from a PFX or from PEM', async () => {
    const { pfx, passphrase } = one;
    const fromPfx = http.openAgent({ tls: { pfx, passphrase, ca: own.cert, minVersion: 'TLSv1.3' } });
    expect(await get(fromPfx)).toMatchObject({ kind: 'delivered', receipt: { status: 200 } });
    expect(await get(as(two))).toMatchObject({ kind: 'delivered' });
    expect(visits).toMatchObject([{ name: 'one' }, { name: 'two' }]);
  });

  it.each([
    ['TLSv1.2', /HANDSHAKE_FAILURE/],
    // Here the client writes before the server has judged its certificate.
    ['TLSv1.3', /CERTIFICATE_REQUIRED/],
  ] as const)(
    'without a certificate is refused over %s, and nothing counts as sent',
    async (version, why) => {
      const tls: TargetTls = { ca: own.cert, minVersion: version, maxVersion: version };
      expect(await get(http.openAgent({ tls }))).toMatchObject({
        kind: 'failed',
        blame: 'target',
        final: false,
        processed: 'no',
        reason: expect.stringMatching(why),
      });
      expect(visits).toEqual([]);
    },
  );

  it('with a certificate the target does not know is not let in', async () => {
    expect(await get(as(selfSigned('stranger')))).not.toMatchObject({ kind: 'delivered' });
    expect(visits).toEqual([]);
  });

  it('sends nothing to a target whose own certificate it does not trust', async () => {
    const { cert, key } = one;
    expect(await get(http.openAgent({ tls: { cert, key } }))).toMatchObject({
      blame: 'target',
      processed: 'no',
    });
    expect(visits).toEqual([]);
  });

  it('keeps its connections, and to itself', async () => {
    const [first, second] = [as(one), as(two)];
    for (const agent of [first, second, first, second, first, second]) await get(agent);
    await Promise.all([first, second, first, second].map((agent) => get(agent)));

    const portsOf = (name: string) =>
      new Set(visits.filter((visit) => visit.name === name).map(({ port }) => port));
    expect(visits.map(({ name }) => name).slice(0, 6)).toEqual(['one', 'two', 'one', 'two', 'one', 'two']);
    expect(portsOf('one').size).toBeLessThanOrEqual(2);
    expect([...portsOf('one')].filter((port) => portsOf('two').has(port))).toEqual([]);
  });

  it('that was closed sends nothing more; another one connects anew', async () => {
    const agent = as(one);
    const [underWay] = await Promise.all([get(agent), agent.close()]);
    expect(underWay).toMatchObject({ kind: 'delivered' });
    expect(await get(agent)).toMatchObject({
      kind: 'failed',
      blame: 'either',
      final: false,
      processed: 'no',
    });

    expect(await get(as(two))).toMatchObject({ kind: 'delivered' });
    expect(visits).toMatchObject([{ name: 'one' }, { name: 'two' }]);
  });

  it('gives its credentials, in place of those of the request', async () => {
    const { cert, key } = one;
    const agent = http.openAgent({ tls: { cert, key, ca: own.cert }, authorization: 'Basic b25l' });
    await get(agent, { Authorization: 'Basic c29tZWJvZHk=' });
    await get(as(one), { Authorization: 'Basic c29tZWJvZHk=' });
    expect(visits).toMatchObject([{ authorization: 'Basic b25l' }, { authorization: 'Basic c29tZWJvZHk=' }]);
  });

  it('is not opened with a certificate that cannot be read', () => {
    expect(() => http.openAgent({ tls: { pfx: one.pfx, passphrase: 'wrong' } })).toThrow(
      'mac verify failure',
    );
  });
});
