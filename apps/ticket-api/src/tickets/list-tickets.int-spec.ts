import { createHash } from 'node:crypto';
import { TicketInterfaceEntity } from '@malote/tickets';
import { ticketRow } from '@malote/tickets/testing';
import { describe, expect, it } from '@jest/globals';
import { shipmentTicket } from '../testing/shipment-ticket.ts';
import { describeTicketApi, pointersOf } from '../testing/ticket-api.ts';
import { type TicketDto } from './ticket.dto.ts';

interface Page {
  readonly items: readonly TicketDto[];
  readonly next?: string;
}

/** Each differs from all others in one respect. */
const STORED: readonly Partial<TicketInterfaceEntity>[] = [
  { businessDocId: 'plain' },
  { businessDocId: 'entity', businessEntity: 'OTHER' },
  { businessDocId: 'phase', phaseCode: 6 },
  { businessDocId: 'company', companyCode: '99' },
  { businessDocId: 'branch', branchCode: '9999' },
  { businessDocId: 'application', targetApplicationCode: 'ASB' },
  { businessDocId: 'status', status: 'Error' },
  { businessDocId: 'return', returnStatus: 'Sent' },
  { businessDocId: 'gateway', gatewaySendStatus: 'Sending' },
  { businessDocId: 'callback', callbackStatus: 'Received' },
  { businessDocId: 'old', createdAt: new Date('2026-02-28T12:00:00Z') },
];

describeTicketApi('the list of tickets', (api) => {
  const store = async (tickets: readonly Partial<TicketInterfaceEntity>[]) => {
    for (const ticket of tickets) {
      const row = ticketRow({ createdAt: new Date('2026-03-01T12:00:00Z'), ...ticket });
      await api.uow.run((tx) => tx.entities.save(TicketInterfaceEntity, row));
    }
  };
  const list = async (query: string): Promise<Page> => {
    const { status, body } = await api.get(query);
    expect([query, status]).toEqual([query, 200]);
    return body as unknown as Page;
  };
  const documents = async (query: string) =>
    (await list(query)).items.map(({ businessDocId }) => businessDocId);
  const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ businessDocId: `D${n}` }));

  it('is empty at first', async () => {
    expect(await list('')).toEqual({ items: [] });
  });

  it('has the newest first, without payloads', async () => {
    await store(STORED);
    const { items, next } = await list('');
    expect(items.map(({ businessDocId }) => businessDocId)).toEqual(
      STORED.map(({ businessDocId }) => businessDocId).reverse(),
    );
    expect(next).toBeUndefined();
    expect(Object.keys(items[0] ?? {})).not.toContain('payload');
  });

  it.each([
    ['businessEntity=other', 'entity'],
    ['businessDocId=PLAIN', 'plain'],
    ['phaseCode=6', 'phase'],
    ['companyCode=99', 'company'],
    ['branchCode=9999', 'branch'],
    ['targetApplicationCode=ASB', 'application'],
    ['status=Error', 'status'],
    ['returnStatus=Sent', 'return'],
    ['gatewaySendStatus=Sending', 'gateway'],
    ['callbackStatus=Received', 'callback'],
    ['createdTo=2026-03-01T12:00:00Z', 'old'],
    ['createdTo=2026-03-01', 'old'],
    ['createdFrom=2026-02-28T09:00:00-03:00&createdTo=2026-02-28T09:00:00.001-03:00', 'old'],
    ['STATUS=Error&CreatedFrom=2026-01-01', 'status'],
  ])('is filtered by %s', async (query, document) => {
    await store(STORED);
    expect(await documents(`?${query.replaceAll('+', '%2B')}`)).toEqual([document]);
  });

  it('has only what all filters allow', async () => {
    await store(STORED);
    expect(await documents('?businessEntity=TCK&status=Error&phaseCode=15')).toEqual(['status']);
    expect(await documents('?businessEntity=OTHER&status=Error')).toEqual([]);
    expect(await documents('?createdFrom=2026-03-01T12:00:00Z')).toHaveLength(STORED.length - 1);
    expect(await documents('?createdFrom=2026-03-01T12:00:00.001Z')).toEqual([]);
  });

  it.each([
    ['limit=0', '/limit'],
    ['limit=-1', '/limit'],
    ['limit=1e9', '/limit'],
    ['limit=201', '/limit'],
    ['limit=abc', '/limit'],
    ['limit=', '/limit'],
    ['limit=1.5', '/limit'],
    ['limit=1&limit=2', '/limit'],
    ['createdFrom=2026-02-30', '/createdFrom'],
    ['createdTo=yesterday', '/createdTo'],
    ['createdTo=2026-03-01T25:00:00Z', '/createdTo'],
    ['status=Sent', '/status'],
    ['status=error', '/status'],
    ['status=Error&status=Awaiting', '/status'],
    ['returnStatus=', '/returnStatus'],
    ['phaseCode=7', '/phaseCode'],
    ['phaseCode=15abc', '/phaseCode'],
    ['businessDocId=D1%20', '/businessDocId'],
    ['cursor=forged', '/cursor'],
    ['cursor=', '/cursor'],
    [`cursor=${'x'.repeat(201)}`, '/cursor'],
    ['status=Error&Status=Error', '/Status'],
    ['busnessDocId=D1', '/busnessDocId'],
  ])('refuses ?%s', async (query, pointer) => {
    const answer = await api.get(`?${query}`);
    expect([answer.status, pointersOf(answer)]).toEqual([400, [pointer]]);
  });

  describe('in pages', () => {
    it('neither repeats nor skips a ticket although others arrive meanwhile', async () => {
      await store(numbered(7));
      const seen: string[] = [];
      let next: string | undefined = '';
      for (let page = 0; next !== undefined; page += 1) {
        const cursor: string = next === '' ? '' : `&cursor=${encodeURIComponent(next)}`;
        const found: Page = await list(`?limit=3${cursor}`);
        expect(found.items).toHaveLength(page < 2 ? 3 : 1);
        seen.push(...found.items.map(({ businessDocId }) => businessDocId));
        await api.post(shipmentTicket({ businessDocId: `new-${page}` }));
        next = found.next;
      }
      expect(seen).toEqual(['D6', 'D5', 'D4', 'D3', 'D2', 'D1', 'D0']);
    });

    it('ends without a cursor when the last page is full', async () => {
      await store(numbered(4));
      const { next = '' } = await list('?limit=2');
      const last = await list(`?limit=2&cursor=${next}`);
      expect([last.items.length, last.next]).toEqual([2, undefined]);
    });

    it('keeps its filters: a cursor goes with no others, and with no other list', async () => {
      await store(numbered(3));
      const { next = '' } = await list('?limit=1&status=Awaiting');
      expect(await documents(`?limit=5&status=Awaiting&cursor=${next}`)).toEqual(['D1', 'D0']);
      for (const query of [
        `?cursor=${next}`,
        `?status=Error&cursor=${next}`,
        `?status=Awaiting&phaseCode=15&cursor=${next}`,
      ]) {
        const answer = await api.get(query);
        expect([answer.status, answer.body.code]).toEqual([400, 'invalid-cursor']);
      }
    });

    it.each([
      ['0', 200],
      ['999999999999999999', 200],
      ['9999999999999999999', 400],
    ])('answers the forged position %s with %i', async (position, status) => {
      await store(numbered(1));
      const seal = createHash('sha256').update('["tickets",[]]').digest('hex').slice(0, 12);
      const cursor = Buffer.from(`${position}.${seal}`).toString('base64url');
      expect((await api.get(`?cursor=${cursor}`)).status).toBe(status);
    });
  });
});
