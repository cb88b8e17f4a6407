import { setTimeout as sleep } from 'node:timers/promises';
import { Database, type UnitOfWork } from '@malote/persistence';
import { describeEachEngine } from '@malote/persistence/testing';
import { expect, it } from '@jest/globals';
import { DocumentNumbers } from './document-numbers.ts';
import { DocumentTypeEntity } from './document-type.entity.ts';
import { hashOf, UNDESCRIBED } from './log-entry.ts';
import { NumberLogEntity } from './number-log.entity.ts';
import { NUMBERING_TABLES } from './numbering-tables.ts';
import { auditRegister } from './register-audit.ts';
import { SequenceEntity } from './sequence.entity.ts';
import { type NumberRequest, takeNumber } from './take-numbers.ts';
import { MARIA, openType } from './testing/index.ts';

const about = (subject: string) => ({ description: { ...UNDESCRIBED, subject } });
const NOON = new Date('2025-06-15T14:30:00.123Z');

describeEachEngine('taking numbers', { entities: NUMBERING_TABLES }, (engine) => {
  let keys = 0;
  const request = (documentTypeId: string, values: Partial<NumberRequest> = {}): NumberRequest => ({
    documentTypeId,
    user: MARIA,
    description: UNDESCRIBED,
    requestKey: `key-${(keys += 1)}`,
    ...values,
  });
  const take = async (typeId: string, now = NOON, values: Partial<NumberRequest> = {}) => {
    const { entry } = await new DocumentNumbers(engine.uow).take(request(typeId, values), now);
    return entry.formattedNumber;
  };
  const log = () =>
    engine.uow.read((tx) => tx.entities.find(NumberLogEntity, { order: { year: 'ASC', position: 'ASC' } }));
  const sequences = () =>
    engine.uow.read((tx) => tx.entities.find(SequenceEntity, { order: { year: 'ASC' } }));

  it('begins with 1 and writes down everything about the number', async () => {
    const typeId = await openType(engine.uow);
    const description = {
      subject: 'Resposta à Câmara 🚚',
      recipient: "Dr. D'Ávila",
      processNumber: '1042/2025',
      notes: 'Urgente',
    };

    expect(await take(typeId, NOON, { description })).toBe('1/2025');
    const [entry] = await log();
    expect(entry).toMatchObject({
      documentTypeId: typeId,
      documentTypeName: 'Ofício',
      prefix: 'OF',
      number: 1,
      year: 2025,
      formattedNumber: '1/2025',
      userId: MARIA.id,
      userName: MARIA.name,
      userEmail: MARIA.email,
      generatedAt: NOON,
      generatedAtLocal: '2025-06-15T11:30:00-03:00',
      kind: 'generated',
      position: 1,
      reason: null,
      ...description,
    });
    expect(entry && hashOf(entry)).toBe(entry?.hash);
    expect(await sequences()).toMatchObject([
      { documentTypeId: typeId, year: 2025, lastNumber: 1, lastPosition: 1, lastHash: entry?.hash },
    ]);
  });

  it('chains each entry to the one before it', async () => {
    const typeId = await openType(engine.uow);
    for (const expected of ['1/2025', '2/2025', '3/2025']) expect(await take(typeId)).toBe(expected);
    const entries = await log();
    expect(entries.map(({ previousHash }) => previousHash)).toEqual([
      '0'.repeat(64),
      entries[0]?.hash,
      entries[1]?.hash,
    ]);
  });

  it('counts each type and each year on its own, and turns the year at midnight in São Paulo', async () => {
    const office = await openType(engine.uow);
    const dispatch = await openType(engine.uow, { name: 'Despacho', prefix: null });
    const lastMoment = new Date('2026-01-01T02:59:59.999Z');
    const midnight = new Date('2026-01-01T03:00:00.000Z');

    expect(await take(office, lastMoment)).toBe('1/2025');
    expect(await take(office, midnight)).toBe('1/2026');
    expect(await take(office, lastMoment)).toBe('2/2025');
    expect(await take(dispatch, midnight)).toBe('1/2026');
    expect((await auditRegister(engine.uow, {}, NOON)).intact).toBe(true);
  });

  it('never dates a number before the one it follows, whatever the clock of its machine says', async () => {
    const typeId = await openType(engine.uow);
    const behind = new Date(NOON.getTime() - 3_000);
    await take(typeId, NOON);
    await take(typeId, behind);
    expect((await log()).map(({ generatedAt }) => generatedAt)).toEqual([NOON, NOON]);
  });

  it('gives callers at the same moment one number each, from the first of the year on', async () => {
    const typeId = await openType(engine.uow);
    const others = Array.from({ length: 3 }, () => Database.open(engine.databaseUrl, NUMBERING_TABLES));
    const uows: UnitOfWork[] = [engine.uow, ...others.map(({ unitOfWork }) => unitOfWork)];
    const desks = uows.map((uow) => new DocumentNumbers(uow));
    const total = 400;
    try {
      const taken = await Promise.all(
        Array.from({ length: total }, async (_, n) => {
          // Arriving over a while, so that turns are of all sizes.
          await sleep(n % 40);
          const taken = await desks[n % desks.length]?.take(request(typeId), NOON);
          return taken?.entry.number ?? 0;
        }),
      );
      expect(taken.sort((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, n) => n + 1));
    } finally {
      await Promise.all(others.map((database) => database.close()));
    }
    expect((await auditRegister(engine.uow, {}, NOON)).intact).toBe(true);
  }, 60_000);

  it('gives a number back when the transaction it was taken in fails', async () => {
    const typeId = await openType(engine.uow);
    await take(typeId);
    await expect(
      engine.uow.run(async (tx) => {
        await takeNumber(tx, request(typeId), NOON);
        throw new Error('the document could not be stored');
      }),
    ).rejects.toThrow('could not be stored');
    expect(await take(typeId)).toBe('2/2025');
    expect(await log()).toHaveLength(2);
  });

  it('gives the first number of a year back, too', async () => {
    const typeId = await openType(engine.uow);
    await expect(
      engine.uow.run(async (tx) => {
        await takeNumber(tx, request(typeId), NOON);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await sequences()).toEqual([]);
    expect(await take(typeId)).toBe('1/2025');
  });

  it('answers a request that comes again with the number it got, even years later', async () => {
    const typeId = await openType(engine.uow);
    const numbers = new DocumentNumbers(engine.uow);
    const again = request(typeId, about('Férias'));
    const first = await numbers.take(again, NOON);
    await engine.uow.run((tx) => tx.entities.update(DocumentTypeEntity, typeId, { isActive: false }));

    const second = await numbers.take(again, new Date('2027-03-01T12:00:00Z'));
    expect(second).toMatchObject({
      outcome: 'unchanged',
      entry: { id: first.entry.id, number: 1, year: 2025 },
    });
    expect(await log()).toHaveLength(1);
  });

  it('takes twins of one request for one, when they arrive at the same moment', async () => {
    const typeId = await openType(engine.uow);
    const other = Database.open(engine.databaseUrl, NUMBERING_TABLES);
    try {
      for (const subject of ['primeiro', 'segundo', 'terceiro']) {
        const twin = request(typeId, about(subject));
        const taken = await Promise.all(
          [engine.uow, other.unitOfWork, engine.uow].map((uow) => new DocumentNumbers(uow).take(twin, NOON)),
        );
        expect(new Set(taken.map(({ entry }) => entry.number)).size).toBe(1);
        expect(taken.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
      }
    } finally {
      await other.close();
    }
    expect((await log()).map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it('refuses a key that stands for another request', async () => {
    const typeId = await openType(engine.uow);
    await take(typeId, NOON, { requestKey: 'same', ...about('um') });
    await expect(take(typeId, NOON, { requestKey: 'same', ...about('outro') })).rejects.toMatchObject({
      kind: 'conflict',
      code: 'idempotency-key-reused',
      details: { formattedNumber: '1/2025' },
    });
    expect(await log()).toHaveLength(1);
  });

  it('refuses types that do not exist or take no numbers any more', async () => {
    const inactive = await openType(engine.uow, { isActive: false });
    await expect(take(inactive)).rejects.toMatchObject({ code: 'document-type-inactive' });
    await expect(take('00000000-0000-0000-0000-000000000000')).rejects.toMatchObject({
      code: 'document-type-unknown',
    });
    expect(await sequences()).toEqual([]);
  });
});
