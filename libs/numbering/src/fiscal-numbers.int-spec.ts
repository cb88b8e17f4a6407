import { Database } from '@malote/persistence';
import { describeEachEngine } from '@malote/persistence/testing';
import { expect, it } from '@jest/globals';
import { takeFiscalNumber } from './fiscal-numbers.ts';
import { NumberRangeEntity } from './number-range.entity.ts';
import { NUMBERING_TABLES } from './numbering-tables.ts';

const RANGE = { issuer: '12345678000195', kind: 'nfe', series: '1' } as const;

describeEachEngine('fiscal ranges', { entities: NUMBERING_TABLES }, (engine) => {
  const open = (values: Partial<NumberRangeEntity> = {}) =>
    engine.uow.run((tx) => tx.entities.insert(NumberRangeEntity, { ...RANGE, lastNumber: '0', ...values }));
  const take = (range: Parameters<typeof takeFiscalNumber>[1] = RANGE) =>
    engine.uow.run((tx) => takeFiscalNumber(tx, range));
  const lastNumber = async () => {
    const [range] = await engine.uow.read((tx) => tx.entities.find(NumberRangeEntity));
    return range?.lastNumber;
  };

  it('go on after the last number, each kind and series on its own', async () => {
    await open({ lastNumber: '41' });
    await open({ series: '2' });
    await open({ kind: 'dps', lastNumber: '999999999999998' });
    expect([await take(), await take()]).toEqual([42, 43]);
    expect(await take({ ...RANGE, series: '2' })).toBe(1);
    expect(await take({ ...RANGE, kind: 'dps' })).toBe(999_999_999_999_999);
  });

  it('give everybody another number, and numbers back that were not used', async () => {
    await open();
    const others = [1, 2, 3].map(() => Database.open(engine.databaseUrl, NUMBERING_TABLES));
    const uows = [engine.uow, ...others.map(({ unitOfWork }) => unitOfWork)];
    try {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 60 }, (_, n) =>
          (uows[n % uows.length] ?? engine.uow).run(async (tx) => {
            const number = await takeFiscalNumber(tx, RANGE);
            if (n % 5 === 0) throw new Error('the document could not be stored');
            return number;
          }),
        ),
      );
      const taken = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      expect(taken.sort((a, b) => a - b)).toEqual(Array.from({ length: 48 }, (_, n) => n + 1));
    } finally {
      await Promise.all(others.map((database) => database.close()));
    }
    expect(await lastNumber()).toBe('48');
  }, 60_000);

  it('refuse when they are blocked, used up or unknown, and stay where they are', async () => {
    await open({ isBlocked: true, lastNumber: '7' });
    await expect(take()).rejects.toMatchObject({ kind: 'conflict', code: 'range-blocked' });
    expect(await lastNumber()).toBe('7');
    await expect(take({ ...RANGE, series: '9' })).rejects.toMatchObject({ code: 'range-unknown' });
    const caught = await engine.uow.run((tx) => takeFiscalNumber(tx, RANGE).catch(() => 'refused'));
    expect([caught, await lastNumber()]).toEqual(['refused', '7']);
    await open({ series: '3', lastNumber: '999999999' });
    await expect(take({ ...RANGE, series: '3' })).rejects.toMatchObject({ code: 'range-used-up' });
  });
});
