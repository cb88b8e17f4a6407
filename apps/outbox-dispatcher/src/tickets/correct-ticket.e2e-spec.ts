import { setTimeout as sleep } from 'node:timers/promises';
import { startServiceProcess, type ServiceProcess } from '@malote/service-kit/testing';
import { ticketRow } from '@malote/tickets/testing';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeDispatcher } from './testing/dispatcher.ts';

const LONG_ENOUGH_MS = 300;

/** What the partner posts for a row of the table. */
const ticketOf = (phaseCode: number) => {
  const { rawPayloadJson = '{}', ...columns } = ticketRow({ phaseCode });
  return { ...columns, ...(JSON.parse(rawPayloadJson) as object) };
};

describeDispatcher('a broken ticket of another system', (dispatcher) => {
  let ticketApi: ServiceProcess;

  beforeEach(async () => {
    ticketApi = startServiceProcess('apps/ticket-api/src/main.ts', {
      DATABASE_URL: dispatcher.engine.databaseUrl,
      DEV_KEY_PATH: dispatcher.service.config.devKeyPath,
      NODE_ENV: 'test',
    });
    await ticketApi.listening;
  });

  afterEach(() => ticketApi.dispose());

  const post = async (ticket: object) => {
    const token = await dispatcher.service.token({ scope: 'tickets:write' });
    const response = await fetch(`${await ticketApi.listening}/api/tickets`, {
      method: 'POST',
      body: JSON.stringify(ticket),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    });
    return [response.status, await response.json()];
  };

  it('stops its document until its partner corrects it, and both phases go on in order', async () => {
    await dispatcher.receive({ phaseCode: 15, rawPayloadJson: '{broken' });
    await dispatcher.eventually(async () => (await dispatcher.ticket()).status === 'Error');
    expect(await post(ticketOf(6))).toMatchObject([200, { outcome: 'created', status: 'Awaiting' }]);
    await sleep(LONG_ENOUGH_MS);
    expect(await dispatcher.ticket()).toMatchObject({ lastError: 'RawPayloadJson is no JSON object' });
    expect(await dispatcher.ticket(6)).toMatchObject({ status: 'Awaiting', attemptCount: 0 });
    expect([await dispatcher.returns(), dispatcher.sink.received]).toEqual([[], []]);

    expect(await post(ticketOf(15))).toMatchObject([200, { outcome: 'updated', status: 'Awaiting' }]);
    await dispatcher.eventually(dispatcher.allDelivered);
    expect([dispatcher.phasesAt('/gateway/ticket-return'), dispatcher.phasesAt('/gateway/tickets')]).toEqual([
      [15, 6],
      [15, 6],
    ]);
    expect(await dispatcher.ticket()).toMatchObject({ attemptCount: 1, lastError: null });
  });
});
