import { DEVELOPMENT_SIGNING_SECRET, WebhookVerifier } from '@malote/http-delivery';
import { type Received } from '@malote/http-delivery/testing';
import { expect, it } from '@jest/globals';
import { ASB_SECRET, describeDispatcher } from './testing/dispatcher.ts';

const RETURN = '/gateway/ticket-return';
const SEND = '/gateway/tickets';
const ACK = '/gateway/functional-ack/v3';
const traceParent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

const isSigned = ({ headers, body }: Received, secret = DEVELOPMENT_SIGNING_SECRET) =>
  new WebhookVerifier([secret]).verify(
    headers['webhook-id'],
    headers['webhook-timestamp'],
    headers['webhook-signature'],
    body,
    new Date(),
  );

describeDispatcher('tickets are delivered', (dispatcher) => {
  it('once each: the return and the ticket as it came, keyed, signed and traced', async () => {
    const rawPayloadJson = '{ "businessDocID":"d1", "phaseCode":15, "cargo":["ção 🚚", 1.50] }';
    await dispatcher.receive({ businessDocId: 'D1', rawPayloadJson, traceParent });
    await dispatcher.eventually(dispatcher.allDelivered);

    expect(dispatcher.sink.received).toHaveLength(2);
    const [returned] = dispatcher.receivedAt(RETURN);
    const [sent] = dispatcher.receivedAt(SEND);
    const ticket = await dispatcher.ticket();
    expect(JSON.parse(returned?.body ?? '')).toEqual({
      businessEntity: 'TCK',
      businessDocId: 'D1',
      phaseCode: 15,
      companyCode: '01',
      branchCode: '0107',
      destinationCode: '0257',
      shipmentEvent: 'RCD',
      targetApplicationCode: 'CRN',
      result: 'Processed',
      processedAt: ticket.processedAt?.toISOString(),
    });
    expect(sent?.body).toBe(rawPayloadJson);
    for (const [request, key] of [
      [returned, 'ticket-return:tck:d1:15'],
      [sent, 'ticket:tck:d1:15'],
    ] as const) {
      expect(request?.headers).toMatchObject({
        'idempotency-key': key,
        'webhook-id': key,
        'content-type': 'application/json',
        traceparent: traceParent,
      });
      expect(request && isSigned(request)).toBe(true);
    }
    expect(ticket).toMatchObject({
      status: 'Processed',
      attemptCount: 1,
      returnAttemptCount: 1,
      returnSentAt: expect.any(Date),
      gatewaySendAttemptCount: 1,
      gatewaySendSentAt: expect.any(Date),
      nextAttemptAt: null,
      gatewaySendNextAttemptAt: null,
    });
  });

  it('to the address of their application', async () => {
    await dispatcher.receive({ businessDocId: 'D1', targetApplicationCode: 'ASB' });
    await dispatcher.receive({ businessDocId: 'D2', targetApplicationCode: 'asb' });
    await dispatcher.eventually(dispatcher.allDelivered);
    const paths = dispatcher.sink.received.map(({ path }) => path).sort();
    expect(paths).toEqual(['/asb/ticket-return', '/asb/ticket-return', '/asb/tickets', '/asb/tickets']);
  });

  it('signed so that neither of two gateways could forge what the other gets', async () => {
    await dispatcher.receive({ businessDocId: 'D1', targetApplicationCode: 'ASB' });
    await dispatcher.receive({ businessDocId: 'D2', targetApplicationCode: 'CRN' });
    await dispatcher.enqueueAck({
      messageKey: 'of-asb',
      targetUrl: dispatcher.sink.url('/asb/functional-ack/v3'),
    });
    await dispatcher.enqueueAck({ messageKey: 'of-crn' });
    await dispatcher.eventually(() => dispatcher.sink.received.length === 6);

    const believedBy = (secret: string) =>
      dispatcher.sink.received.filter((request) => isSigned(request, secret)).map(({ path }) => path);
    const paths = ['/functional-ack/v3', '/ticket-return', '/tickets'];
    expect(believedBy(ASB_SECRET).sort()).toEqual(paths.map((path) => `/asb${path}`));
    expect(believedBy(DEVELOPMENT_SIGNING_SECRET).sort()).toEqual(paths.map((path) => `/gateway${path}`));
  });

  it.each([409, 200, 202])('also when the gateway answers %i', async (status) => {
    dispatcher.sink.answer = (_request, response) => response.writeHead(status).end('{}');
    await dispatcher.receive({});
    await dispatcher.eventually(dispatcher.allDelivered);
    expect(await dispatcher.ticket()).toMatchObject({ returnLastError: null, gatewaySendLastError: null });
    expect(dispatcher.sink.received).toHaveLength(2);
  });

  it('after the gateway had failed, under the same keys', async () => {
    dispatcher.sink.answer = (_request, response) => {
      const isEarly = dispatcher.sink.received.length <= 2;
      response.writeHead(isEarly ? 500 : 204).end();
    };
    await dispatcher.receive({});
    await dispatcher.eventually(async () => {
      await dispatcher.hurry();
      return dispatcher.allDelivered();
    });
    for (const path of [RETURN, SEND]) {
      const keys = dispatcher.receivedAt(path).map(({ headers }) => headers['idempotency-key']);
      expect([keys.length > 1, new Set(keys).size]).toEqual([true, 1]);
    }
    expect((await dispatcher.ticket()).returnAttemptCount).toBe(dispatcher.receivedAt(RETURN).length);
  });

  it('not while the gateway refuses them: both end in error, each where it is looked for', async () => {
    dispatcher.sink.answer = ({ path }, response) => response.writeHead(422).end(`no thanks at ${path}`);
    await dispatcher.receive({});
    const gaveUp = async () => {
      const { returnStatus, gatewaySendStatus } = await dispatcher.ticket();
      return returnStatus === 'Error' && gatewaySendStatus === 'Error';
    };
    await dispatcher.eventually(gaveUp);

    expect(await dispatcher.ticket()).toMatchObject({
      status: 'Processed',
      returnLastError: expect.stringContaining(`HTTP 422: the payload is refused: no thanks at ${RETURN}`),
      returnAttemptCount: 1,
      returnSentAt: null,
      gatewaySendLastError: expect.stringContaining(`no thanks at ${SEND}`),
      gatewaySendAttemptCount: 1,
      gatewaySendNextAttemptAt: null,
    });
    expect(await dispatcher.returns()).toMatchObject([{ status: 'Error', nextAttemptAt: null }]);
  });

  it('functional ACKs too', async () => {
    await dispatcher.enqueueAck({ payload: '{"status":"Accepted 🚚"}', traceParent });
    await dispatcher.eventually(() => dispatcher.receivedAt(ACK).length > 0);
    const [ack] = dispatcher.receivedAt(ACK);
    expect(ack).toMatchObject({
      body: '{"status":"Accepted 🚚"}',
      headers: { 'idempotency-key': 'ack-1', traceparent: traceParent },
    });
    expect(ack && isSigned(ack)).toBe(true);
  });
});
