import { expect, it } from '@jest/globals';
import { describeOffice } from '../testing/office.ts';

const JUSTIFICATION = 'Livro em papel usado até o número 41';

describeOffice('sequences', (office) => {
  const adjust = (who: typeof office.admin, lastNumber: unknown, justification: unknown = JUSTIFICATION) =>
    who.post('/api/sequences/adjustments', { documentTypeId: office.typeId, lastNumber, justification });

  it('go on after the number an admin names', async () => {
    const adjusted = await adjust(office.admin, 41);
    expect([adjusted.status, adjusted.body]).toMatchObject([
      200,
      { documentTypeName: 'Ofício', year: 2026, lastNumber: 41 },
    ]);
    expect((await office.take(office.clerk)).body.formattedNumber).toBe('42/2026');
    expect((await office.clerk.get('/api/sequences')).body).toMatchObject({
      items: [{ documentTypeId: office.typeId, documentTypeName: 'Ofício', year: 2026, lastNumber: 42 }],
    });
  });

  it('never go back', async () => {
    for (let n = 0; n < 3; n += 1) await office.take(office.clerk);
    for (const lastNumber of [1, 3]) {
      const answer = await adjust(office.admin, lastNumber);
      expect([answer.status, answer.body]).toMatchObject([
        409,
        { code: 'sequence-beyond', details: { lastNumber: 3 } },
      ]);
    }
  });

  it('are moved for a reason, by admins, and the register shows it', async () => {
    expect((await adjust(office.clerk, 9)).status).toBe(403);
    for (const [lastNumber, justification] of [
      [0, JUSTIFICATION],
      [1.5, JUSTIFICATION],
      [1_000_000, JUSTIFICATION],
      ['9', JUSTIFICATION],
      [9, 'porque'],
      [9, null],
    ]) {
      expect((await adjust(office.admin, lastNumber, justification)).status).toBe(400);
    }
    await adjust(office.admin, 9);
    const { body } = await office.clerk.get('/api/numbers/audit');
    expect(body).toMatchObject({ intact: true, sequences: [{ skipped: [{ from: 1, to: 9 }] }] });
    expect((await office.clerk.get('/api/sequences/adjustments')).body).toMatchObject({
      items: [
        {
          documentTypeName: 'Ofício',
          year: 2026,
          lastNumber: 9,
          justification: JUSTIFICATION,
          by: 'Ana Souza',
        },
      ],
    });
  });
});
