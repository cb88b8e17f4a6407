import { DocumentTypeEntity } from '@malote/numbering';
import { expect, it } from '@jest/globals';
import { describeOffice, pointersOf } from '../testing/office.ts';

describeOffice('taking a number', (office) => {
  it('answers with the number and everything the register keeps of it', async () => {
    const answer = await office.take(office.clerk, { subject: ' Resposta à Câmara ', recipient: 'Câmara' });

    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`/api/numbers/${String(answer.body.id)}`);
    expect(answer.body).toMatchObject({
      documentTypeId: office.typeId,
      documentTypeName: 'Ofício',
      prefix: 'OF',
      number: 1,
      year: 2026,
      formattedNumber: '1/2026',
      subject: 'Resposta à Câmara',
      recipient: 'Câmara',
      user: { name: 'Bia Lima', email: 'bia@itajai.example' },
      generatedAt: '2026-03-10T15:00:00.000Z',
      generatedAtLocal: '2026-03-10T12:00:00-03:00',
      state: 'issued',
      annulment: null,
      outcome: 'created',
    });
    const { body } = await office.clerk.get(`/api/numbers/${String(answer.body.id)}`);
    expect({ ...body, outcome: 'created' }).toEqual(answer.body);
  });

  it('takes a double click for one number', async () => {
    const clicks = await Promise.all([1, 2, 3].map(() => office.take(office.clerk, {}, 'click')));
    expect(clicks.map(({ body }) => body.formattedNumber)).toEqual(['1/2026', '1/2026', '1/2026']);
    expect(clicks.map(({ status, body }) => `${status} ${String(body.outcome)}`).sort()).toEqual([
      '200 unchanged',
      '200 unchanged',
      '201 created',
    ]);
    expect(await office.numbersOf(office.clerk)).toEqual(['1/2026']);
  });

  it('tells whoever asks again what became of the number since', async () => {
    const { body } = await office.take(office.clerk, { subject: 'um' }, 'later');
    const path = `/api/numbers/${String(body.id)}`;
    await office.clerk.patch(path, { subject: 'dois' });
    await office.clerk.post(`${path}/annulment`, { reason: 'Emitido em duplicidade' });
    const again = await office.take(office.clerk, { subject: 'um' }, 'later');
    expect([again.status, again.body]).toMatchObject([
      200,
      {
        outcome: 'unchanged',
        state: 'annulled',
        subject: 'dois',
        annulment: { reason: 'Emitido em duplicidade' },
      },
    ]);
  });

  it('keeps the keys of one person apart from those of another', async () => {
    await office.take(office.clerk, {}, 'same');
    const { body } = await office.take(office.admin, {}, 'same');
    expect(body).toMatchObject({ formattedNumber: '2/2026', outcome: 'created' });
  });

  it('refuses a key that stands for another number, and says for which', async () => {
    await office.take(office.clerk, { subject: 'um' }, 'same');
    const answer = await office.take(office.clerk, { subject: 'dois' }, 'same');
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { code: 'idempotency-key-reused', details: { formattedNumber: '1/2026' } },
    ]);
  });

  it('counts what became of the requests', async () => {
    const metrics = async () => (await office.api.service.fetch('/metrics')).text();
    const count = async (outcome: string) =>
      Number(
        new RegExp(`^numbers_taken_total\\{outcome="${outcome}"\\} (\\d+)`, 'm').exec(await metrics())?.[1] ??
          0,
      );
    const outcomes = ['created', 'unchanged', 'refused'];
    const before = await Promise.all(outcomes.map(count));
    await office.take(office.clerk, {}, 'counted');
    await office.take(office.clerk, {}, 'counted');
    await office.take(office.clerk, { subject: 'outro' }, 'counted');
    expect(await Promise.all(outcomes.map(count))).toEqual(before.map((value) => value + 1));
    expect(await metrics()).toMatch(/^sequence_wait_seconds_count \d+/m);
  });

  it('asks for a key', async () => {
    const answer = await office.clerk.post('/api/numbers', { documentTypeId: office.typeId });
    expect([answer.status, answer.body.code]).toEqual([400, 'idempotency-key-missing']);
  });

  it('tells what each type would give out next', async () => {
    await office.take(office.clerk);
    const { body } = await office.clerk.get('/api/numbers/next');
    expect(body).toEqual({
      items: [
        {
          documentTypeId: office.typeId,
          documentTypeName: 'Ofício',
          prefix: 'OF',
          formattedNumber: '2/2026',
        },
      ],
    });
  });

  it('begins again with the year, by the clock of São Paulo', async () => {
    const { api } = office;
    const taken: unknown[] = [];
    for (const moment of ['2027-01-01T02:59:59.999Z', '2027-01-01T03:00:00.000Z']) {
      api.now = new Date(moment);
      const clerk = await api.clerk(await api.admin(), `c${taken.length}@itajai.example`, 'Nova Pessoa');
      taken.push((await office.take(clerk)).body.formattedNumber);
    }
    expect(taken).toEqual(['1/2026', '1/2027']);
  });

  it.each<[string, object, string]>([
    ['no type', { documentTypeId: undefined }, '/documentTypeId'],
    ['a type that is no id', { documentTypeId: 'oficio' }, '/documentTypeId'],
    ['too long a subject', { subject: 'x'.repeat(201) }, '/subject'],
    ['two lines', { recipient: 'a\nb' }, '/recipient'],
    ['an unknown field', { number: 7 }, '/number'],
  ])('refuses %s', async (_name, values, pointer) => {
    const answer = await office.take(office.clerk, values);
    expect([answer.status, pointersOf(answer)]).toEqual([400, [pointer]]);
    expect(await office.numbersOf(office.clerk)).toEqual([]);
  });

  it('refuses types that are unknown or take no numbers any more', async () => {
    const unknown = await office.take(office.clerk, {
      documentTypeId: '00000000-0000-4000-8000-000000000000',
    });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'document-type-unknown']);
    await office.api.uow.run((tx) =>
      tx.entities.update(DocumentTypeEntity, office.typeId, { isActive: false }),
    );
    const inactive = await office.take(office.clerk);
    expect([inactive.status, inactive.body.code]).toEqual([409, 'document-type-inactive']);
  });
});
