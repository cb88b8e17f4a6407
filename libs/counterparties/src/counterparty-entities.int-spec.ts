import { describeEachEngine } from '@malote/persistence/testing';
import { expect, it } from '@jest/globals';
import { CounterpartyAddressEntity } from './counterparty-address.entity.ts';
import { CounterpartyFiscalReferenceEntity } from './counterparty-fiscal-reference.entity.ts';
import { CounterpartyEntity } from './counterparty.entity.ts';

const entities = [CounterpartyEntity, CounterpartyAddressEntity, CounterpartyFiscalReferenceEntity];

describeEachEngine('the counterparty tables', { entities }, (engine) => {
  const store = (businessDocId: string) =>
    engine.uow.run(async (tx) => {
      const { id } = await tx.entities.save(CounterpartyEntity, { businessDocId, name: 'Empresa São João' });
      const counterpartyIdFk = id;
      await tx.entities.save(CounterpartyAddressEntity, {
        counterpartyIdFk,
        state: 'SP',
        isMainAddress: true,
      });
      await tx.entities.save(CounterpartyFiscalReferenceEntity, {
        counterpartyIdFk,
        fiscalNumber: '12345678000195',
      });
      return id;
    });

  it('give back a counterparty with its addresses and fiscal references', async () => {
    const id = await store('D1');
    await engine.uow.read(async (tx) => {
      const stored = await tx.entities.findOneByOrFail(CounterpartyEntity, { businessDocId: 'D1' });
      const children = { counterpartyIdFk: stored.id };
      const addresses = await tx.entities.findBy(CounterpartyAddressEntity, children);
      const references = await tx.entities.findBy(CounterpartyFiscalReferenceEntity, children);

      expect(stored).toMatchObject({ id, name: 'Empresa São João', isDeleted: false, status: 'Received' });
      expect(addresses).toMatchObject([{ ...children, state: 'SP', isMainAddress: true, isDeleted: false }]);
      expect(references).toMatchObject([{ ...children, fiscalNumber: '12345678000195' }]);
    });
  });

  it('hold a business document once', async () => {
    await store('D1');
    const error: unknown = await store('D1').catch((reason: unknown) => reason);
    expect(engine.uow.dialect.isDuplicateKey(error)).toBe(true);
  });

  it('delete what belongs to a counterparty with it', async () => {
    const id = await store('D1');
    await store('D2');
    const left = await engine.uow.run(async (tx) => {
      await tx.entities.delete(CounterpartyEntity, { id });
      return Promise.all([
        tx.entities.count(CounterpartyAddressEntity),
        tx.entities.count(CounterpartyFiscalReferenceEntity),
      ]);
    });
    expect(left).toEqual([1, 1]);
  });
});
