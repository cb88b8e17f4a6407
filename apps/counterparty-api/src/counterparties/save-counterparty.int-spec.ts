import { setTimeout as sleep } from 'node:timers/promises';
import {
  CounterpartyAddressEntity,
  CounterpartyEntity,
  CounterpartyFiscalReferenceEntity,
} from '@malote/counterparties';
import { type Tx, type UnitOfWork } from '@malote/persistence';
import { describeEachEngine, UnitOfWorkAround } from '@malote/persistence/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CounterpartyClient } from '../testing/counterparty-client.ts';
import {
  emptyAddress,
  emptyCounterparty,
  emptyFiscalReference,
  fullCounterparty,
} from '../testing/full-counterparty.ts';
import { CounterpartiesService } from './counterparties.service.ts';
import { CounterpartyQuery } from './counterparty-query.dto.ts';
import { CounterpartyRepository } from './counterparty.repository.ts';

const TCK = { businessEntity: 'TCK' };
const entities = [CounterpartyEntity, CounterpartyAddressEntity, CounterpartyFiscalReferenceEntity];

/** Reads that dawdle after each statement, long enough for anybody who may come in between. */
class SlowReads extends UnitOfWorkAround {
  constructor(
    uow: UnitOfWork,
    private readonly afterStatement: () => void,
  ) {
    super(uow);
  }

  protected override around(tx: Tx, mode: 'read' | 'write'): Tx {
    if (mode === 'write') return tx;
    const query = async (...sent: Parameters<Tx['query']>) => {
      const rows = await tx.query(...sent);
      this.afterStatement();
      await sleep(250);
      return rows;
    };
    return { ...tx, query: query as Tx['query'] };
  }
}

/** A slow server may ask one of many to come back later. */
async function untilTaken<A extends { readonly status: number }>(send: () => Promise<A>): Promise<A> {
  const answer = await send();
  return answer.status === 503 ? untilTaken(send) : answer;
}

describeEachEngine('saving a counterparty', { entities }, (engine) => {
  describe('over HTTP', () => {
    let partner: CounterpartyClient;

    beforeAll(async () => {
      partner = await CounterpartyClient.start(engine.databaseUrl);
    });

    afterAll(() => partner.close());

    const read = (businessDocID: string, businessEntity = 'TCK') =>
      partner.get({ businessEntity, businessDocID });
    const count = (entity: (typeof entities)[number]) =>
      engine.uow.read((tx) => tx.entities.count(entity as typeof CounterpartyEntity));
    const stored = () => engine.uow.read((tx) => tx.entities.find(CounterpartyEntity));

    it('keeps every column, and gives back what it keeps', async () => {
      const { businessDocId, businessEntity } = fullCounterparty;
      const saved = await partner.post(fullCounterparty);

      expect(saved).toMatchObject({ status: 200, body: { ...fullCounterparty, outcome: 'created' } });
      expect(await read(businessDocId, businessEntity)).toEqual({
        status: 200,
        body: {
          ...fullCounterparty,
          id: saved.body.id,
          createdAt: saved.body.createdAt,
          updatedAt: null,
          rawPayload: fullCounterparty,
        },
      });
      expect(Math.abs(Date.parse(String(saved.body.createdAt)) - Date.now())).toBeLessThan(60_000);
    });

    it.each<[string, object]>([
      ['absent', { businessDocId: 'D1', addresses: [{}], fiscalReferences: [{}] }],
      [
        'null',
        {
          ...Object.fromEntries(Object.keys(fullCounterparty).map((name) => [name, null])),
          businessDocId: 'D1',
          addresses: [Object.fromEntries(Object.keys(emptyAddress).map((name) => [name, null]))],
          fiscalReferences: [emptyFiscalReference],
        },
      ],
    ])('takes what is %s for null', async (_, body) => {
      const saved = await partner.post(body);

      const { id, createdAt } = saved.body;
      expect(saved).toEqual({
        status: 200,
        body: {
          ...emptyCounterparty,
          id,
          createdAt,
          businessDocId: 'D1',
          addresses: [emptyAddress],
          fiscalReferences: [emptyFiscalReference],
          outcome: 'created',
        },
      });
    });

    it('takes lists that are null for empty ones', async () => {
      const saved = await partner.post({ businessDocId: 'D1', addresses: null, fiscalReferences: null });
      expect(saved).toMatchObject({ status: 200, body: { addresses: [], fiscalReferences: [] } });
    });

    it('replaces all of a document that is sent again', async () => {
      const { businessDocId, businessEntity } = fullCounterparty;
      const first = await partner.post(fullCounterparty);
      const again = { businessDocId, businessEntity, name: 'New', addresses: [{ state: 'RJ' }] };
      const second = await partner.post(again);

      expect(second.body).toMatchObject({
        outcome: 'updated',
        id: first.body.id,
        updatedAt: expect.any(String),
      });
      expect((await read(businessDocId, businessEntity)).body).toEqual({
        ...emptyCounterparty,
        id: first.body.id,
        createdAt: first.body.createdAt,
        updatedAt: second.body.updatedAt,
        ...again,
        addresses: [{ ...emptyAddress, state: 'RJ' }],
        rawPayload: again,
      });
      expect(await Promise.all(entities.map(count))).toEqual([1, 1, 0]);
    });

    it('moves a document to the business entity that it was last sent for', async () => {
      await partner.post({ businessDocId: 'D1', businessEntity: 'TCK' });
      await partner.post({ businessDocId: 'D1', businessEntity: 'ABC' });

      expect([(await read('D1')).status, (await read('D1', 'ABC')).status]).toEqual([404, 200]);
    });

    it('takes keys that differ in case for one document, and keeps the first spelling', async () => {
      await partner.post({ businessDocId: 'Doc-1', businessEntity: 'TCK' });
      const again = await partner.post({ businessDocId: 'dOC-1', businessEntity: 'tck' });

      expect(again.body).toMatchObject({ outcome: 'updated', businessDocId: 'Doc-1' });
      expect((await read('DOC-1', 'Tck')).status).toBe(200);
      expect(await count(CounterpartyEntity)).toBe(1);
    });

    it('keeps the payload as it came, to the last blank, with what no column holds', async () => {
      const body =
        '{ "businessDocId" : "D1",\n\t"businessEntity":"TCK", "Extra": {"mood": "🚚 ł", "n": 1.50} }  ';
      await partner.post(body);

      expect((await stored())[0]?.rawPayload).toBe(body);
      expect((await read('D1')).body.rawPayload).toEqual(JSON.parse(body));
    });

    it('finds names whatever their case', async () => {
      const saved = await partner.post({
        BUSINESSDOCID: 'D1',
        BusinessEntity: 'TCK',
        ADDRESSES: [{ ZipCode: '01001-000' }],
        fiscalreferences: [{ FiscalNumber: '1' }],
      });
      expect(saved.body).toMatchObject({
        businessDocId: 'D1',
        addresses: [{ zipCode: '01001-000' }],
        fiscalReferences: [{ fiscalNumber: '1' }],
      });
    });

    it('keeps the order of addresses and references', async () => {
      const addresses = Array.from({ length: 200 }, (_, n) => ({ addrLine1: `Rua ${n}` }));
      const fiscalReferences = Array.from({ length: 200 }, (_, n) => ({ fiscalNumber: String(n) }));
      await partner.post({ businessDocId: 'D1', businessEntity: 'TCK', addresses, fiscalReferences });

      expect((await read('D1')).body).toMatchObject({ addresses, fiscalReferences });
    });

    it('takes SQL for the text it is', async () => {
      const text = `'; DELETE FROM TB_COUNTERPARTIES; --`;
      const body = {
        businessDocId: text,
        businessEntity: `' OR 1=1 --`,
        name: text,
        addresses: [{ addrLine1: `${text} {"@id":1} @id $1 ? %_[a]`, addrLine2: '\\n \\" \r\n\t' }],
        fiscalReferences: [{ fiscalNumber: `"}]'); --` }],
      };
      await partner.post({ businessDocId: 'D1', businessEntity: 'TCK' });
      await partner.post(body);

      expect((await read(text, body.businessEntity)).body).toMatchObject(body);
      expect((await read(`' OR '1'='1`)).status).toBe(404);
      expect(
        await partner.list({ businessEntity: body.businessEntity, fiscalNumber: `"}]'); --` }),
      ).toHaveLength(1);
      expect(await count(CounterpartyEntity)).toBe(2);
    });

    it('does not know the document of another business entity', async () => {
      await partner.post({ businessDocId: 'D1', businessEntity: 'TCK' });
      await partner.post({ businessDocId: 'D2' });

      for (const answer of [await read('D1', 'ABC'), await read('D2'), await read('D3')]) {
        expect(answer).toMatchObject({ status: 404, body: { code: 'counterparty-not-found' } });
      }
    });

    it('shows a payload of another system that is no JSON as text', async () => {
      await engine.uow.run((tx) =>
        tx.entities.save(CounterpartyEntity, {
          businessDocId: 'D1',
          businessEntity: 'TCK',
          rawPayload: '<a/>',
        }),
      );
      expect((await read('D1')).body).toMatchObject({ rawPayload: '<a/>', status: 'Received' });
    });

    it.each(['get', 'list'] as const)(
      '%s shows a document as one request left it, even when another comes in the middle',
      async (way) => {
        const documentOf = (name: string) => ({
          ...TCK,
          businessDocId: 'D1',
          name,
          addresses: [{ addrLine1: name }],
          fiscalReferences: [{ fiscalNumber: name }],
        });
        await partner.post(documentOf('old'));
        let replaced: Promise<unknown> | undefined;
        const slowly = new SlowReads(engine.uow, () => {
          replaced ??= partner.post(documentOf('new'));
        });

        const service = new CounterpartiesService(slowly, new CounterpartyRepository());
        const query = Object.assign(new CounterpartyQuery(), { businessEntity: 'TCK' });
        const seen = way === 'get' ? await service.get('TCK', 'D1') : (await service.list(query)).items[0];

        expect(seen).toMatchObject(documentOf(String(seen?.name)));
        await replaced;
        expect((await read('D1')).body).toMatchObject(documentOf('new'));
      },
    );

    it('leaves the document of one of many who send it at once, and shows no other meanwhile', async () => {
      const other = await CounterpartyClient.start(engine.databaseUrl);
      const marksOf = (body: object) =>
        new Set(JSON.stringify({ ...body, rawPayload: undefined }).match(/mark-\d+/g));
      try {
        const many = engine.name === 'sqlite' ? 20 : 10;
        const sends = Array.from({ length: many }, (_, n) => {
          const mark = `mark-${n}`;
          const body = {
            businessDocId: n % 3 === 0 ? 'RACE' : 'race',
            businessEntity: 'TCK',
            name: mark,
            addresses: Array.from({ length: 1 + (n % 4) }, () => ({ addrLine1: mark })),
            fiscalReferences: Array.from({ length: 1 + (n % 3) }, () => ({ fiscalNumber: mark })),
          };
          return untilTaken(() => (n % 2 === 0 ? partner : other).post(body));
        });
        const looks = Array.from({ length: many }, () => read('race'));

        const saved = await Promise.all(sends);
        const seen = [...(await Promise.all(looks)), await read('race')];

        expect(saved.map(({ status }) => status)).toEqual(saved.map(() => 200));
        expect(saved.filter(({ body }) => body.outcome === 'created')).toHaveLength(1);
        const found = seen.filter(({ status }) => status === 200);
        expect(found.map(({ body }) => marksOf(body).size)).toEqual(found.map(() => 1));
        const last = Number(/\d+/.exec(String(seen.at(-1)?.body.name))?.[0]);
        expect(await Promise.all(entities.map(count))).toEqual([1, 1 + (last % 4), 1 + (last % 3)]);
      } finally {
        await other.close();
      }
    });
  });
});
