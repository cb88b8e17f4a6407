import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpDelivery } from './http-delivery.ts';
import { type Received, Sink } from './testing/index.ts';
import { type Webhook, WebhookDelivery } from './webhook-delivery.ts';
import { WebhookVerifier } from './webhook-signature.ts';

const secret = () => `whsec_${randomBytes(32).toString('base64')}`;
const permit = { signal: new AbortController().signal, mayLeave: () => true };

const isSigned = ({ headers, body }: Received, secrets: readonly string[]) =>
  new WebhookVerifier(secrets).verify(
    headers['webhook-id'],
    headers['webhook-timestamp'],
    headers['webhook-signature'],
    body,
    new Date(),
  );

describe('a webhook', () => {
  const [alpha, beta] = [secret(), secret()];
  let sink: Sink;
  let http: HttpDelivery;
  let webhooks: WebhookDelivery;

  beforeEach(async () => {
    sink = await new Sink().open();
    http = new HttpDelivery({ allowedPrivateHosts: ['127.0.0.1'], timeoutMs: 2_000 });
    webhooks = new WebhookDelivery(http);
  });

  afterEach(async () => {
    await http.close();
    await sink.close();
  });

  const post = (changes: Partial<Webhook> = {}) => {
    const webhook = {
      messageKey: 'key-1',
      traceParent: null,
      url: sink.url(),
      body: '{"cidade":"São Paulo"}',
    };
    return webhooks.post({ ...webhook, secrets: [alpha], ...changes }, permit);
  };

  it('carries its key, its trace and its signature', async () => {
    const traceParent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect(await post({ traceParent })).toMatchObject({ kind: 'delivered', receipt: { status: 204 } });
    expect(sink.received).toMatchObject([
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': 'key-1',
          'webhook-id': 'key-1',
          traceparent: traceParent,
        },
        body: '{"cidade":"São Paulo"}',
      },
    ]);
    await post();
    expect(sink.received[1]?.headers).not.toHaveProperty('traceparent');
  });

  it('is signed with its own target’s secret, and no other target’s', async () => {
    for (const secrets of [[alpha], [beta], [alpha], [beta]]) await post({ secrets });

    expect(sink.received.map((one) => isSigned(one, [alpha]))).toEqual([true, false, true, false]);
    expect(sink.received.map((one) => isSigned(one, [beta]))).toEqual([false, true, false, true]);
  });

  it('is signed with both secrets while a target changes them', async () => {
    await post({ secrets: [alpha, beta] });
    expect(sink.received.map((one) => [isSigned(one, [alpha]), isSigned(one, [beta])])).toEqual([
      [true, true],
    ]);
  });

  it.each([
    ['no secret', []],
    ['a secret that is none', ['qwerty']],
  ])('waits while its target is configured with %s, and is not sent unsigned', async (_, secrets) => {
    const outcome = await post({ secrets });
    expect(outcome).toMatchObject({ kind: 'failed', blame: 'target', final: false, processed: 'no' });
    expect(outcome).not.toMatchObject({ reason: expect.stringContaining('qwerty') });
    expect(sink.received).toEqual([]);
  });

  it('keeps no more of an answer than a failure quotes', async () => {
    sink.answer = (_request, response) => response.writeHead(422).end('ç'.repeat(5_000));
    expect(await post()).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/[^ç]ç{300}$/) });

    sink.answer = (_request, response) => response.writeHead(200).end('x'.repeat(5_000));
    expect(await post()).toMatchObject({ receipt: { body: Buffer.alloc(1_200, 'x'), isCut: true } });
  });
});
