import { CALLBACK_TRANSITIONS, type CallbackStatus } from '@malote/tickets';
import { eventsOf, statesOf } from '@malote/state-machine';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { shipmentTicket, without } from '../testing/shipment-ticket.ts';
import { describeTicketApi, pointersOf } from '../testing/ticket-api.ts';

type Report = ReturnType<typeof eventsOf<typeof CALLBACK_TRANSITIONS>>[number];

const key = { businessEntity: 'TCK', businessDocId: '01-0107-0257-5200004', phaseCode: 15 };
const says = (status: Report, more: object = {}) => ({ ...key, status, ...more });

const CASES = statesOf(CALLBACK_TRANSITIONS).flatMap((state) =>
  eventsOf(CALLBACK_TRANSITIONS).map((report) => {
    const reports: Partial<Record<Report, CallbackStatus>> = CALLBACK_TRANSITIONS[state];
    return { state, report, target: reports[report] };
  }),
);

describeTicketApi('a callback', (api) => {
  beforeEach(() => api.post(shipmentTicket()));

  const ticket = async () => (await api.tickets())[0];

  it.each(CASES)('$report after $state leads to $target', async ({ state, report, target }) => {
    if (state !== 'Pending') await api.callBack(says(state, { code: 'earlier' }));
    const before = await ticket();
    expect(before?.callbackStatus).toBe(state);
    const { status, body } = await api.callBack(says(report, { code: 'later' }));

    expect([status, body]).toEqual([200, { applied: target !== undefined, callbackStatus: target ?? state }]);
    const after = await ticket();
    expect(after?.callbackStatus).toBe(target ?? state);
    if (target === undefined) expect(after).toEqual(before);
    else expect(after?.callbackCode).toBe('later');
  });

  it('is kept whole, beside what is read of it', async () => {
    const json = `{ "Status":"Error", "BUSINESSENTITY":"tck","businessDocID":"01-0107-0257-5200004",
      "phaseCode":15, "code":"E-42", "message":"peso inválido 🚚", "occurredAt":"2026-03-01T12:00:00Z", "more":[1.50] }`;
    expect((await api.callBack(json)).status).toBe(200);

    expect(await ticket()).toMatchObject({
      callbackStatus: 'Error',
      callbackPayloadJson: json,
      callbackCode: 'E-42',
      callbackMessage: 'peso inválido 🚚',
    });
    expect(Math.abs(((await ticket())?.callbackReceivedAt?.getTime() ?? 0) - Date.now())).toBeLessThan(
      60_000,
    );
    const { body } = await api.get('/TCK/01-0107-0257-5200004');
    expect(body).toMatchObject({
      phases: [
        { callbackStatus: 'Error', callbackCode: 'E-42', callbackPayload: JSON.parse(json) as object },
      ],
    });
  });

  it.each([
    ['neither code nor message', {}],
    ['a null for both', { code: null, message: null }],
  ])('may have %s', async (_, more) => {
    expect((await api.callBack(says('Received', more))).status).toBe(200);
    expect(await ticket()).toMatchObject({ callbackCode: null, callbackMessage: null });
  });

  it.each([
    ['of 2000 characters as it is', 'x'.repeat(2000), 'x'.repeat(2000)],
    ['of 3000 characters cut', 'x'.repeat(3000), 'x'.repeat(2000)],
    [
      'with an emoji across the cut without the half of it',
      `${'x'.repeat(1999)}🚚y`,
      `${'x'.repeat(1999)}\ufffd`,
    ],
    ['with an emoji before the cut with it', `${'x'.repeat(1998)}🚚y`, `${'x'.repeat(1998)}🚚`],
  ])('shows a message %s, and keeps it whole', async (_, message, shown) => {
    expect((await api.callBack(says('Error', { message }))).status).toBe(200);
    const stored = await ticket();
    expect(stored?.callbackMessage).toBe(shown);
    expect(JSON.parse(stored?.callbackPayloadJson ?? '{}')).toMatchObject({ message });
  });

  it('touches nothing but its own ticket in its own phase', async () => {
    await api.post(shipmentTicket({ phaseCode: 6 }));
    await api.post(shipmentTicket({ businessDocId: 'other' }));
    await api.callBack(says('Success', { phaseCode: 6 }));
    expect((await api.tickets()).map(({ callbackStatus }) => callbackStatus)).toEqual([
      'Pending',
      'Success',
      'Pending',
    ]);
  });

  it('does not touch the processing of the ticket', async () => {
    const before = await ticket();
    await api.callBack(says('Error'));
    const { status, attemptCount, nextAttemptAt, returnStatus, gatewaySendStatus } = (await ticket()) ?? {};
    expect(before).toMatchObject({ status, attemptCount, nextAttemptAt, returnStatus, gatewaySendStatus });
  });

  it.each([
    ['another document', { businessDocId: 'unknown' }],
    ['another phase', { phaseCode: 6 }],
    ['another entity', { businessEntity: 'OTHER' }],
  ])('about %s that nobody sent is not found', async (_, more) => {
    const { status, body } = await api.callBack(says('Success', more));
    expect([status, body.code]).toEqual([404, 'ticket-unknown']);
    expect((await ticket())?.callbackStatus).toBe('Pending');
  });

  describe('is refused', () => {
    it.each(['businessEntity', 'businessDocId', 'phaseCode', 'status'])('without %s', async (name) => {
      const answer = await api.callBack(without(says('Success'), name));
      expect([answer.status, pointersOf(answer)]).toEqual([400, [`/${name}`]]);
    });

    it.each([
      ['status', 'Pending'],
      ['status', 'success'],
      ['code', 'x'.repeat(51)],
      ['code', '🚚'],
      ['message', 7],
      ['occurredAt', '2026-02-30'],
      ['phaseCode', 7],
    ])('with %s %j', async (name, value) => {
      const answer = await api.callBack({ ...says('Success'), [name]: value });
      expect([answer.status, pointersOf(answer)]).toEqual([400, [`/${name}`]]);
      expect((await ticket())?.callbackStatus).toBe('Pending');
    });
  });

  it.each([
    ['the same thing', ['Success', 'Success']],
    ['opposite things', ['Success', 'Error']],
  ] as const)('and another that says %s at the same time are not both applied', async (_, reports) => {
    const answers = await Promise.all(reports.map((report) => api.callBack(says(report, { code: report }))));
    const applied = answers.filter(({ body }) => body.applied === true);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(applied).toHaveLength(1);
    expect((await ticket())?.callbackStatus).toBe(applied[0]?.body.callbackStatus);
  });

  it('that says the end is not undone by one that says the beginning at the same time', async () => {
    await Promise.all(
      [says('Received'), says('Success'), says('Received')].map((said) => api.callBack(said)),
    );
    expect((await ticket())?.callbackStatus).toBe('Success');
  });
});
