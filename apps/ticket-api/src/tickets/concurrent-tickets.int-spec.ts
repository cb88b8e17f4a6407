import { expect, it } from '@jest/globals';
import { shipmentTicket } from '../testing/shipment-ticket.ts';
import { type Answer, describeTicketApi } from '../testing/ticket-api.ts';

const acked = (more: object = {}) => shipmentTicket({ functionalAckIsRequired: true, ...more });

describeTicketApi('tickets posted at once', (api) => {
  /** A server that knows no row locks answers 503 where others wait; callers repeat those. */
  const postAll = (tickets: readonly unknown[]): Promise<Answer[]> =>
    Promise.all(
      tickets.map(async (ticket) => {
        for (;;) {
          const answer = await api.post(ticket);
          if (answer.status !== 503) return answer;
        }
      }),
    );
  const outcomes = (answers: readonly Answer[]) => answers.map(({ body }) => body.outcome);

  it('are one ticket with one ACK when they are the same', async () => {
    const answers = await postAll(Array.from({ length: 30 }, () => acked()));

    expect(outcomes(answers).filter((outcome) => outcome === 'created')).toHaveLength(1);
    expect(outcomes(answers).filter((outcome) => outcome === 'unchanged')).toHaveLength(29);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect([(await api.tickets()).length, (await api.acks()).length]).toEqual([1, 1]);
  });

  it('with different content are one ticket, with the content of one of them', async () => {
    const contents = Array.from({ length: 30 }, (_, n) => acked({ note: n }));
    const answers = await postAll(contents);

    expect(answers.map(({ status }) => status)).toEqual(contents.map(() => 200));
    expect(outcomes(answers).filter((outcome) => outcome === 'created')).toHaveLength(1);
    expect(outcomes(answers).filter((outcome) => outcome === 'updated')).toHaveLength(29);
    const [ticket, ...others] = await api.tickets();
    expect(others).toEqual([]);
    expect(contents.map((content) => JSON.stringify(content))).toContain(ticket?.rawPayloadJson);
    expect(await api.acks()).toHaveLength(30);
  });

  it('of different documents are all stored, in both phases', async () => {
    const tickets = Array.from({ length: 10 }, (_, n) => `D${n}`).flatMap((businessDocId) => [
      acked({ businessDocId, phaseCode: 6 }),
      acked({ businessDocId }),
    ]);
    const answers = await postAll(tickets);

    expect(outcomes(answers)).toEqual(tickets.map(() => 'created'));
    expect([(await api.tickets()).length, (await api.acks()).length]).toEqual([20, 20]);
  });

  it('as corrections while a worker takes them are refused, or what it takes', async () => {
    const contents = Array.from({ length: 20 }, (_, n) => shipmentTicket({ businessDocId: `D${n}` }));
    await postAll(contents);
    const corrections = contents.map((content) => ({ ...content, note: 'corrected' }));
    const [answers, claimed] = await Promise.all([postAll(corrections), api.claim()]);

    const refused = answers.filter(({ status }) => status === 409).length;
    const corrected = answers.filter(({ body }) => body.outcome === 'updated').length;
    expect(refused + corrected).toBe(20);
    const taken = new Map(claimed.map(({ row }) => [row.BusinessDocId, row.RawPayloadJson]));
    for (const { businessDocId, status, rawPayloadJson } of await api.tickets()) {
      const content = taken.get(businessDocId);
      const expected = content === undefined ? ['Awaiting', rawPayloadJson] : ['Processing', content];
      expect([status, rawPayloadJson]).toEqual(expected);
    }
  });
});
