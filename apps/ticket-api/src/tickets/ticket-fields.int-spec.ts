import { describe, expect, it } from '@jest/globals';
import { shipmentTicket, WEIGHTS, without } from '../testing/shipment-ticket.ts';
import { describeTicketApi, pointersOf } from '../testing/ticket-api.ts';

const LENGTHS = {
  businessEntity: 100,
  businessDocId: 100,
  companyCode: 20,
  branchCode: 20,
  destinationCode: 20,
  shipmentEvent: 20,
  targetApplicationCode: 20,
};
const HEADER = [...Object.keys(LENGTHS), 'phaseCode', 'functionalAckIsRequired'];
const weighed = shipmentTicket({ phaseCode: 6 });

function wrongValuesOf(name: string): unknown[] {
  if (name === 'phaseCode') return [null, {}, [], '15', true];
  if (name === 'functionalAckIsRequired') return [null, {}, [], 'true', 1];
  return [null, {}, [], 7, true];
}

describeTicketApi('the fields of a ticket', (api) => {
  const refuse = async (ticket: unknown) => {
    const answer = await api.post(ticket);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation-failed']);
    expect(await api.tickets()).toEqual([]);
    return answer;
  };

  describe.each(HEADER)('%s', (name) => {
    it('must be there', async () => {
      expect(pointersOf(await refuse(without(shipmentTicket(), name)))).toEqual([`/${name}`]);
    });

    it.each(wrongValuesOf(name))('must not be %j', async (value) => {
      expect(pointersOf(await refuse(shipmentTicket({ [name]: value })))).toEqual([`/${name}`]);
    });
  });

  it.each(Object.entries(LENGTHS))('%s has at most %i characters', async (name, length) => {
    const answer = await refuse(shipmentTicket({ [name]: 'x'.repeat(length + 1) }));
    expect(pointersOf(answer)).toEqual([`/${name}`]);
    expect(JSON.stringify(answer.body.errors)).toContain(String(length));

    const full = { [name]: 'x'.repeat(length) };
    expect((await api.post(shipmentTicket(full))).status).toBe(200);
    expect(await api.tickets()).toMatchObject([full]);
  });

  it.each(['companyCode', 'branchCode', 'destinationCode', 'shipmentEvent'])(
    '%s is kept in Windows-1252 and never altered: what that does not have is refused',
    async (name) => {
      const answer = await refuse(shipmentTicket({ [name]: 'ok 🚚' }));
      expect(answer.body.errors).toMatchObject([
        { pointer: `/${name}`, message: expect.stringContaining('U+1F69A') },
      ]);
      await refuse(shipmentTicket({ [name]: '' }));

      const strange = { [name]: 'São–€Œ' };
      await api.post(shipmentTicket(strange));
      expect(await api.tickets()).toMatchObject([strange]);
    },
  );

  it('are all named when all are wrong', async () => {
    expect(pointersOf(await refuse({})).sort()).toEqual(HEADER.map((name) => `/${name}`).sort());
  });

  it.each([0, 7, -15, 15.5])('there is no phase %d', async (phaseCode) => {
    expect(pointersOf(await refuse(shipmentTicket({ phaseCode })))).toEqual(['/phaseCode']);
  });

  it.each(['[]', '"text"', '7'])('%s is no ticket', async (body) => {
    expect(pointersOf(await refuse(body))).toEqual(['']);
  });

  it('are found whatever the case of their names', async () => {
    const shouted = Object.entries(weighed).map(([name, value]) => [name.toUpperCase(), value] as const);
    expect((await api.post(Object.fromEntries(shouted))).status).toBe(200);
    const usual = { ...without(shipmentTicket(), 'businessDocId'), BusinessDocID: 'D2' };
    expect((await api.post(usual)).status).toBe(200);

    expect(await api.tickets()).toMatchObject([
      { ...shipmentTicket(), phaseCode: 6 },
      shipmentTicket({ businessDocId: 'D2' }),
    ]);
  });

  describe('of phase 6', () => {
    it.each(Object.keys(WEIGHTS))('%s must be there, and a number', async (name) => {
      for (const wrong of [
        without(weighed, name),
        { ...weighed, [name]: '1' },
        { ...weighed, [name]: null },
      ]) {
        expect(pointersOf(await refuse(wrong))).toEqual([`/${name}`]);
      }
    });

    it.each([
      ['negative', { grossWeight: 1, tareWeight: -1, netWeight: 2 }, '/tareWeight'],
      ['less than nothing', { grossWeight: 1, tareWeight: 2, netWeight: -1 }, '/netWeight'],
      ['of four decimals', { grossWeight: 1.0001, tareWeight: 0, netWeight: 1 }, '/grossWeight'],
      [
        'of ten thousand tons',
        { grossWeight: 10_000_000, tareWeight: 0, netWeight: 9_999_999 },
        '/grossWeight',
      ],
      ['next to nothing', { grossWeight: 1e-7, tareWeight: 0, netWeight: 0 }, '/grossWeight'],
      ['off by a gram', { ...WEIGHTS, netWeight: 18_000.251 }, '/netWeight'],
      ['swapped', { grossWeight: 1, tareWeight: 3, netWeight: 2 }, '/netWeight'],
    ])('weights that are %s are refused', async (_, weights, pointer) => {
      expect(pointersOf(await refuse({ ...weighed, ...weights }))).toEqual([pointer]);
    });

    it.each([
      ['0.3 − 0.1 = 0.2', { grossWeight: 0.3, tareWeight: 0.1, netWeight: 0.2 }],
      ['nothing', { grossWeight: 0, tareWeight: 0, netWeight: 0 }],
      ['the most there is', { grossWeight: 9_999_999.999, tareWeight: 0.001, netWeight: 9_999_999.998 }],
    ])('weights to the gram are taken: %s', async (_, weights) => {
      expect((await api.post({ ...weighed, ...weights })).status).toBe(200);
    });
  });

  it.each([WEIGHTS, { grossWeight: -1, netWeight: 'heavy' }])(
    'of phase 15 may include weights, which are nobody’s business yet: %j',
    async (weights) => {
      const ticket = shipmentTicket(weights);
      expect((await api.post(ticket)).status).toBe(200);
      expect(await api.tickets()).toMatchObject([{ phaseCode: 15, rawPayloadJson: JSON.stringify(ticket) }]);
    },
  );
});
