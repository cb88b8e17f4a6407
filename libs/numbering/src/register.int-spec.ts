import { describeEachEngine } from '@malote/persistence/testing';
import { beforeEach, expect, it } from '@jest/globals';
import { DocumentNumbers } from './document-numbers.ts';
import { UNDESCRIBED } from './log-entry.ts';
import { NumberLogEntity } from './number-log.entity.ts';
import { NUMBERING_TABLES } from './numbering-tables.ts';
import { auditRegister } from './register-audit.ts';
import { SequenceEntity } from './sequence.entity.ts';
import { type LogUser } from './number-chain.ts';
import { MARIA, openType } from './testing/index.ts';

const NOON = new Date('2025-06-15T15:00:00.000Z');
const JOAO = { id: '550e8400-e29b-41d4-a716-446655440009', name: 'João', email: 'joao@itajai.sc.gov.br' };
const REASON = 'Redigido em duplicidade';

describeEachEngine('the register', { entities: NUMBERING_TABLES }, (engine) => {
  let typeId: string;
  let numbers: DocumentNumbers;
  let keys = 0;

  beforeEach(async () => {
    typeId = await openType(engine.uow);
    numbers = new DocumentNumbers(engine.uow);
  });

  const take = async (count: number, now = NOON, documentTypeId = typeId) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const requestKey = `register-${(keys += 1)}`;
      const request = { documentTypeId, user: MARIA, description: UNDESCRIBED, requestKey };
      ids.push((await numbers.take(request, now)).entry.id);
    }
    return ids;
  };
  const annul = (
    id: string,
    user: LogUser & { isAdmin: boolean } = { ...MARIA, isAdmin: false },
    now = NOON,
  ) => numbers.annul({ id, user, reason: REASON }, now);
  const adjust = (lastNumber: number) =>
    numbers.adjust({ documentTypeId: typeId, lastNumber, user: JOAO, reason: 'Livro em papel até 41' }, NOON);
  const audit = () => auditRegister(engine.uow, {}, NOON);
  const firstBreak = async () => (await audit()).sequences[0]?.firstBreak;
  const log = () =>
    engine.uow.read((tx) => tx.entities.find(NumberLogEntity, { order: { position: 'ASC' } }));

  it('keeps an annulled number, says who annulled it and why, and never gives it out again', async () => {
    const [, id = ''] = await take(2);
    await annul(id, { ...JOAO, isAdmin: true });
    await take(1);
    const entries = await log();
    expect(entries.map(({ kind, number }) => [kind, number])).toEqual([
      ['generated', 1],
      ['generated', 2],
      ['annulled', 2],
      ['generated', 3],
    ]);
    expect(entries[2]).toMatchObject({ userName: 'João', reason: REASON, formattedNumber: '2/2025' });
    expect(await audit()).toMatchObject({
      intact: true,
      sequences: [{ entries: 4, lastNumber: 3, annulled: 1 }],
    });
  });

  it('annuls numbers of a year that is over, without a number of that year being dated after it', async () => {
    const [id = ''] = await take(1);
    await annul(id, { ...MARIA, isAdmin: false }, new Date('2026-02-01T12:00:00Z'));
    await take(1);
    expect((await log()).at(-1)).toMatchObject({ number: 2, year: 2025, generatedAt: NOON });
    expect((await audit()).intact).toBe(true);
  });

  it('lets nobody annul the number of somebody else, nor twice, nor what is no number', async () => {
    const [id = ''] = await take(1);
    await expect(annul(id, { ...JOAO, isAdmin: false })).rejects.toMatchObject({ code: 'not-your-number' });
    const annulment = await annul(id);
    await expect(annul(id)).rejects.toMatchObject({ code: 'number-already-annulled' });
    await expect(annul(annulment.id)).rejects.toMatchObject({ kind: 'not-found', code: 'number-unknown' });
  });

  it('annuls once when many try at the same moment', async () => {
    const [id = ''] = await take(1);
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => annul(id)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await log()).toHaveLength(2);
    expect((await audit()).intact).toBe(true);
  });

  it('says something else of a number when asked to, and forgets nothing it said before', async () => {
    const [id = ''] = await take(1);
    const amend = (subject: string, user: LogUser & { isAdmin: boolean } = { ...MARIA, isAdmin: false }) =>
      numbers.amend({ id, user, changes: { subject } }, NOON);
    await amend('Férias');
    expect(await amend('Férias')).toBeUndefined();
    await amend('Licença', { ...JOAO, isAdmin: true });
    await expect(amend('Outro', { ...JOAO, isAdmin: false })).rejects.toMatchObject({
      code: 'not-your-number',
    });
    expect(
      (await log()).map(({ kind, number, subject, userName }) => [kind, number, subject, userName]),
    ).toEqual([
      ['generated', 1, null, 'Maria Silva'],
      ['amended', 1, 'Férias', 'Maria Silva'],
      ['amended', 1, 'Licença', 'João'],
    ]);
    await annul(id);
    await expect(amend('Tarde')).rejects.toMatchObject({ code: 'number-already-annulled' });
    await take(1);
    expect(await audit()).toMatchObject({ intact: true, sequences: [{ lastNumber: 2, entries: 5 }] });
  });

  it('moves a sequence on, from nothing too, and never back', async () => {
    await adjust(41);
    await take(1);
    expect((await log()).at(-1)?.formattedNumber).toBe('42/2025');
    for (const lastNumber of [42, 1]) {
      await expect(adjust(lastNumber)).rejects.toMatchObject({
        code: 'sequence-beyond',
        details: { lastNumber: 42 },
      });
    }
    expect(await audit()).toMatchObject({
      intact: true,
      sequences: [{ lastNumber: 42, entries: 2, skipped: [{ from: 1, to: 41 }] }],
    });
  });

  it('audits every sequence for itself, across pages', async () => {
    const other = await openType(engine.uow, { name: 'Despacho', sortOrder: 2 });
    const total = engine.name === 'sqlite' ? 2_100 : 120;
    for (let taken = 0; taken < total; taken += 60) {
      await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          numbers.take(
            {
              documentTypeId: typeId,
              user: MARIA,
              description: UNDESCRIBED,
              requestKey: `page-${taken + n}`,
            },
            NOON,
          ),
        ),
      );
    }
    await take(2, new Date('2026-06-15T15:00:00Z'), other);
    await engine.uow.run((tx) =>
      tx.entities.update(NumberLogEntity, { year: 2026, number: 2 }, { subject: 'x' }),
    );
    const { intact, sequences } = await audit();
    expect(intact).toBe(false);
    expect(
      sequences.map(({ documentTypeName, year, intact: good }) => [documentTypeName, year, good]),
    ).toEqual([
      ['Despacho', 2026, false],
      ['Ofício', 2025, true],
    ]);
    expect(sequences[0]?.firstBreak).toEqual({
      kind: 'entry-altered',
      position: 2,
      formattedNumber: '2/2026',
    });
    expect(await auditRegister(engine.uow, { year: 2025, documentTypeId: typeId }, NOON)).toMatchObject({
      intact: true,
      sequences: [{ year: 2025 }],
    });
  }, 60_000);

  it.each<[string, string, string]>([
    ['an entry that was deleted', 'entry-missing', `DELETE FROM TABLE WHERE Number = 2`],
    ['the newest entry deleted', 'end-missing', `DELETE FROM TABLE WHERE Number = 3`],
    ['an entry that was changed', 'entry-altered', `UPDATE TABLE SET UserName = 'Outro' WHERE Number = 1`],
  ])('notices %s', async (_name, kind, statement) => {
    await take(3);
    const table = engine.uow.dialect.table('TB_NUMBER_LOGS');
    await engine.uow.run((tx) => tx.execute(statement.replace('TABLE', table)));
    expect(await firstBreak()).toMatchObject({ kind });
  });

  it('notices entries that were put where the sequence never was', async () => {
    await take(3);
    await engine.uow.run(async (tx) => {
      const forged = await tx.entities.findOneByOrFail(NumberLogEntity, { number: 3 });
      Object.assign(forged, { id: undefined, position: 5_000, number: 777, requestKey: null });
      await tx.entities.insert(NumberLogEntity, forged);
    });
    expect(await firstBreak()).toMatchObject({ kind: 'entry-unknown', position: 5_000 });
  });

  it('notices a sequence that was set back to an earlier end', async () => {
    await take(3);
    const [first] = await log();
    await engine.uow.run((tx) =>
      tx.entities.update(
        SequenceEntity,
        { year: 2025 },
        { lastNumber: 1, lastPosition: 1, lastHash: first?.hash ?? '' },
      ),
    );
    expect(await firstBreak()).toMatchObject({ kind: 'entry-unknown', position: 3 });
  });

  it('notices a text to search by that was changed', async () => {
    await take(1);
    await engine.uow.run((tx) => tx.entities.update(NumberLogEntity, { number: 1 }, { searchText: 'x' }));
    expect(await firstBreak()).toMatchObject({ kind: 'entry-altered' });
  });

  it('notices a counter that was turned back, and one that was deleted', async () => {
    await take(3);
    await engine.uow.run((tx) => tx.entities.update(SequenceEntity, { year: 2025 }, { lastNumber: 2 }));
    expect(await firstBreak()).toMatchObject({ kind: 'sequence-altered' });
    await engine.uow.run((tx) => tx.entities.delete(SequenceEntity, { year: 2025 }));
    expect(await firstBreak()).toMatchObject({ kind: 'sequence-missing' });
  });
});
