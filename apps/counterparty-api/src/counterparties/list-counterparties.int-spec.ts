import {
  CounterpartyAddressEntity,
  CounterpartyEntity,
  CounterpartyFiscalReferenceEntity,
} from '@malote/counterparties';
import { type Tx } from '@malote/persistence';
import { describeEachEngine } from '@malote/persistence/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CounterpartyClient } from '../testing/counterparty-client.ts';
import { CounterpartyRepository } from './counterparty.repository.ts';

const entities = [CounterpartyEntity, CounterpartyAddressEntity, CounterpartyFiscalReferenceEntity];
const TCK = { businessEntity: 'TCK' };

describeEachEngine('listing counterparties', { entities }, (engine) => {
  describe('over HTTP', () => {
    let partner: CounterpartyClient;

    beforeAll(async () => {
      partner = await CounterpartyClient.start(engine.databaseUrl);
    });

    afterAll(() => partner.close());

    beforeEach(async () => {
      for (let n = 1; n <= 7; n += 1) {
        await partner.post({
          ...TCK,
          businessDocId: `D${n}`,
          counterpartyId: `C${n % 2}`,
          entityType: n < 4 ? '1' : '5',
          isDeleted: n === 7,
          addresses: [{ addrLine1: `Rua ${n}` }, { addrLine1: `Largo ${n}` }],
          fiscalReferences: [{ fiscalReferenceTypeCode: 'BR3', fiscalNumber: `IE${n}` }],
        });
      }
      await partner.post({ businessEntity: 'ABC', businessDocId: 'OTHER' });
      await partner.post({ businessDocId: 'NOBODY' });
    });

    const ids = async (query: Readonly<Record<string, string>>) =>
      (await partner.list({ ...TCK, ...query })).map(({ businessDocId }) => businessDocId);

    it('shows what belongs to each, and not the payload', async () => {
      const { status, body } = await partner.get(TCK);

      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['items']);
      expect(body.items).toMatchObject(
        Array.from({ length: 7 }, (_, n) => ({
          businessDocId: `D${n + 1}`,
          addresses: [{ addrLine1: `Rua ${n + 1}` }, { addrLine1: `Largo ${n + 1}` }],
          fiscalReferences: [{ fiscalNumber: `IE${n + 1}` }],
        })),
      );
      expect(JSON.stringify(body)).not.toContain('rawPayload');
    });

    it('reads a page in four statements, however long it is', async () => {
      let statements = 0;
      const page = await engine.uow.read((tx) => {
        const query = (...sent: Parameters<Tx['query']>) => {
          statements += 1;
          return tx.query(...sent);
        };
        const counting = Object.create(tx, { query: { value: query } }) as Tx;
        return new CounterpartyRepository().list(counting, TCK, undefined, 200);
      });
      expect([page.length, statements]).toEqual([7, 4]);
    });

    it('shows each once while others are added and changed', async () => {
      let added = 0;
      const seen = await partner.list({ ...TCK, limit: '2' }, async () => {
        added += 1;
        await partner.post({ ...TCK, businessDocId: `NEW${added}` });
        await partner.post({ ...TCK, businessDocId: 'D1', name: 'changed' });
      });
      const seenIds = seen.map(({ businessDocId }) => businessDocId);

      expect(seenIds.slice(0, 7)).toEqual(['D1', 'D2', 'D3', 'D4', 'D5', 'D6', 'D7']);
      expect(new Set(seenIds).size).toBe(seenIds.length);
    });

    it.each([
      [{ isDeleted: 'true' }, ['D7']],
      [{ isDeleted: 'false', entityType: '5' }, ['D4', 'D5', 'D6']],
      [{ counterpartyId: 'c0' }, ['D2', 'D4', 'D6']],
      [{ fiscalNumber: 'IE3' }, ['D3']],
      [{ fiscalNumber: 'IE3', entityType: '5' }, []],
      [{ BusinessEntity: 'tck', ENTITYTYPE: '1', Limit: '1' }, ['D1', 'D2', 'D3']],
    ])('filters by %j', async (query, found) => {
      const { BusinessEntity, ...rest } = { BusinessEntity: 'TCK', ...query };
      const items = await partner.list({ BusinessEntity, ...rest });
      expect(items.map(({ businessDocId }) => businessDocId)).toEqual(found);
    });

    it('finds a tax id masked and unmasked, whichever way it is given', async () => {
      const reference = (fiscalNumber: string) => ({
        fiscalReferences: [{ fiscalReferenceTypeCode: 'BR1', fiscalNumber }],
      });
      await partner.post({ ...TCK, businessDocId: 'BARE', ...reference('12abc34501de35') });
      await partner.post({ ...TCK, businessDocId: 'MASKED', ...reference('12.ABC.345/01DE-35') });

      for (const fiscalNumber of ['12ABC34501DE35', '12.ABC.345/01DE-35', '12.abc.345/01de-35']) {
        expect(await ids({ fiscalNumber })).toEqual(['BARE', 'MASKED']);
      }
    });

    it('is empty for a business entity nobody has sent', async () => {
      expect(await partner.get({ businessEntity: 'XYZ' })).toEqual({ status: 200, body: { items: [] } });
    });

    it('does not go on with other filters, another entity, or a cursor of its caller’s own making', async () => {
      const { body } = await partner.get({ ...TCK, limit: '2' });
      const cursor = String(body.next);
      expect((await partner.get({ ...TCK, limit: '3', cursor })).status).toBe(200);

      for (const query of [
        { ...TCK, isDeleted: 'false', cursor },
        { businessEntity: 'ABC', cursor },
        { ...TCK, cursor: `${cursor.slice(0, -2)}AA` },
        { ...TCK, cursor: Buffer.from('0 OR 1=1.abc').toString('base64url') },
        { ...TCK, cursor: '' },
      ]) {
        expect(await partner.get(query)).toMatchObject({ status: 400, body: { code: 'invalid-cursor' } });
      }
    });
  });
});
