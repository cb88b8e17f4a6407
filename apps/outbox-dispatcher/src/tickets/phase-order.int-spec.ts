import { setTimeout as sleep } from 'node:timers/promises';
import { gatewaySend, ticketReturn } from '@malote/tickets';
import { describe, expect, it } from '@jest/globals';
import { describeDispatcher, phaseOf } from './testing/dispatcher.ts';

const RETURN = '/gateway/ticket-return';
const SEND = '/gateway/tickets';
const LONG_ENOUGH_MS = 300;

describeDispatcher('phase 6 follows phase 15', (dispatcher) => {
  const expectOrder = () => {
    expect([dispatcher.phasesAt(RETURN), dispatcher.phasesAt(SEND)]).toEqual([
      [15, 6],
      [15, 6],
    ]);
  };

  it('although it came first', async () => {
    await dispatcher.receive({ phaseCode: 6 });
    await sleep(LONG_ENOUGH_MS);
    expect(await dispatcher.ticket(6)).toMatchObject({ status: 'Awaiting', attemptCount: 0 });
    expect(dispatcher.sink.received).toEqual([]);

    await dispatcher.receive({ phaseCode: 15 });
    await dispatcher.eventually(dispatcher.allDelivered);
    expectOrder();
  });

  it('in every document, of many', async () => {
    const documents = Array.from({ length: 10 }, (_, n) => `D${n}`);
    for (const businessDocId of documents) await dispatcher.receive({ businessDocId, phaseCode: 6 });
    for (const businessDocId of documents) await dispatcher.receive({ businessDocId, phaseCode: 15 });
    await dispatcher.eventually(dispatcher.allDelivered);
    for (const path of [RETURN, SEND]) {
      for (const businessDocId of documents) {
        const told = dispatcher.receivedAt(path).filter(({ body }) => body.includes(`"${businessDocId}"`));
        expect([businessDocId, told.map(phaseOf)]).toEqual([businessDocId, [15, 6]]);
      }
    }
  });

  it('although its document is spelled differently', async () => {
    await dispatcher.receive({ businessDocId: 'doc-A', phaseCode: 6 });
    await dispatcher.receive({ businessDocId: 'DOC-a', phaseCode: 15 });
    await dispatcher.eventually(dispatcher.allDelivered);
    expectOrder();
  });

  it('although the gateway fails for phase 15 again and again', async () => {
    const failures: Record<string, number> = {};
    dispatcher.sink.answer = (request, response) => {
      const isFailing = phaseOf(request) === 15 && (failures[request.path] ?? 0) < 2;
      if (isFailing) failures[request.path] = (failures[request.path] ?? 0) + 1;
      response.writeHead(isFailing ? 500 : 204).end();
    };
    await dispatcher.receive({ phaseCode: 6 });
    await dispatcher.receive({ phaseCode: 15 });
    await dispatcher.eventually(async () => {
      await dispatcher.hurry();
      return dispatcher.allDelivered();
    });
    expect([dispatcher.phasesAt(RETURN), dispatcher.phasesAt(SEND)]).toEqual([
      [15, 15, 15, 6],
      [15, 15, 15, 6],
    ]);
  });

  describe('that was refused', () => {
    const isRefused = async () => {
      const { returnStatus, gatewaySendStatus } = await dispatcher.ticket(15);
      return returnStatus === 'Error' && gatewaySendStatus === 'Error';
    };

    it('only once a person has brought phase 15 back, which the ticket shows', async () => {
      dispatcher.sink.answer = (_request, response) => response.writeHead(422).end();
      await dispatcher.receive({ phaseCode: 6 });
      await dispatcher.receive({ phaseCode: 15 });
      await dispatcher.eventually(isRefused);
      await dispatcher.eventually(async () => (await dispatcher.ticket(6)).status === 'Processed');
      await sleep(LONG_ENOUGH_MS);
      expect([dispatcher.phasesAt(RETURN), dispatcher.phasesAt(SEND)]).toEqual([[15], [15]]);

      await dispatcher.stop();
      expect([await dispatcher.replay(ticketReturn), await dispatcher.replay(gatewaySend)]).toEqual([1, 1]);
      expect(await dispatcher.ticket(15)).toMatchObject({
        returnStatus: 'Pending',
        returnAttemptCount: 0,
        gatewaySendStatus: 'Pending',
        gatewaySendAttemptCount: 0,
      });

      dispatcher.sink.received.length = 0;
      dispatcher.sink.answer = (_request, response) => response.writeHead(204).end();
      await dispatcher.start();
      await dispatcher.eventually(dispatcher.allDelivered);
      expectOrder();
    });
  });

  it.each([
    ['no JSON', '{broken', 'RawPayloadJson is no JSON object'],
    ['the JSON of another ticket', '{"businessDocId":"other"}', 'its businessDocId differs'],
  ])(
    'not when phase 15 is %s: that is an error, and nothing of it goes out',
    async (_, rawPayloadJson, reason) => {
      await dispatcher.receive({ phaseCode: 6 });
      await dispatcher.receive({ phaseCode: 15, rawPayloadJson });
      await dispatcher.eventually(async () => (await dispatcher.ticket(15)).status === 'Error');
      await sleep(LONG_ENOUGH_MS);

      expect(await dispatcher.ticket(15)).toMatchObject({
        lastError: expect.stringContaining(reason),
        attemptCount: 1,
        nextAttemptAt: null,
        processedAt: null,
      });
      expect(await dispatcher.ticket(6)).toMatchObject({ status: 'Awaiting', nextAttemptAt: null });
      expect([await dispatcher.returns(), dispatcher.sink.received]).toEqual([[], []]);
    },
  );

  it('but is not returned nor sent when its own weights are wrong', async () => {
    await dispatcher.receive({
      phaseCode: 6,
      rawPayloadJson: '{"grossWeight":2,"tareWeight":1,"netWeight":2}',
    });
    await dispatcher.receive({ phaseCode: 15 });
    await dispatcher.eventually(async () => (await dispatcher.ticket(6)).status === 'Error');
    await dispatcher.eventually(async () => (await dispatcher.ticket(15)).gatewaySendStatus === 'Sent');
    await sleep(LONG_ENOUGH_MS);
    expect([dispatcher.phasesAt(RETURN), dispatcher.phasesAt(SEND)]).toEqual([[15], [15]]);
    expect((await dispatcher.ticket(6)).lastError).toContain('netWeight');
  });
});
