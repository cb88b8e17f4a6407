import { DocumentTypeEntity } from '@malote/numbering';
import { expect, it } from '@jest/globals';
import { describeOffice, pointersOf } from '../testing/office.ts';
import { DocumentTypesService } from './document-types.service.ts';

describeOffice('document types', (office) => {
  const add = (values: object) => office.admin.post('/api/document-types', values);
  const change = (id: unknown, values: object) =>
    office.admin.patch(`/api/document-types/${String(id)}`, values);
  const names = async (query = '') => {
    const { body } = await office.clerk.get(`/api/document-types${query}`);
    return (body.items as { name: string }[]).map(({ name }) => name);
  };

  it('are added behind the others, found and listed in their order', async () => {
    const portaria = await add({ name: ' Portaria ', prefix: 'PORT' });
    expect([portaria.status, portaria.body]).toMatchObject([
      201,
      { name: 'Portaria', prefix: 'PORT', sortOrder: 2, isActive: true },
    ]);
    await add({ name: 'Edital', sortOrder: 1 });
    expect(await names()).toEqual(['Edital', 'Ofício', 'Portaria']);
    const found = await office.clerk.get(`/api/document-types/${String(portaria.body.id)}`);
    expect(found.body).toEqual(portaria.body);
  });

  it('have names that no other active one has, however they are written', async () => {
    const taken = await add({ name: 'OFÍCIO' });
    expect([taken.status, taken.body]).toMatchObject([
      409,
      { code: 'document-type-name-taken', errors: [{ pointer: '/name' }] },
    ]);
    for (const name of ['Ofício\u200b', 'Ｏfício', 'of\u00edcio']) {
      expect([name, (await add({ name })).status]).toEqual([name, 409]);
    }
    await change(office.typeId, { isActive: false });
    expect((await add({ name: 'ofício' })).status).toBe(201);
    const back = await change(office.typeId, { isActive: true });
    expect([back.status, back.body.code]).toEqual([409, 'document-type-name-taken']);
  });

  it('are given one name once when two admins are at it', async () => {
    const other = await office.api.clerk(office.admin, 'eva@itajai.example', 'Eva Dias', 'admin');
    const added = await Promise.all(
      [office.admin, other].map((admin) => admin.post('/api/document-types', { name: 'Parecer' })),
    );
    expect(added.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('change only where they are told to, and numbers keep what they were taken under', async () => {
    const { body: taken } = await office.take(office.clerk);
    const changed = await change(office.typeId, { name: 'Ofício Externo', prefix: null });
    expect(changed.body).toMatchObject({
      name: 'Ofício Externo',
      prefix: null,
      sortOrder: 1,
      isActive: true,
    });
    expect((await change(office.typeId, { sortOrder: 7 })).body).toMatchObject({ name: 'Ofício Externo' });
    const { body } = await office.clerk.get(`/api/numbers/${String(taken.id)}`);
    expect(body).toMatchObject({ documentTypeName: 'Ofício', prefix: 'OF' });
  });

  it('are known by their id in either case, and a change that changes nothing leaves no trace', async () => {
    const before = (await office.admin.get('/api/admin-actions?limit=1')).body.items;
    const same = await change(office.typeId.toUpperCase(), { name: 'Ofício' });
    expect([same.status, same.body.name]).toEqual([200, 'Ofício']);
    expect((await office.admin.get('/api/admin-actions?limit=1')).body.items).toEqual(before);
    expect((await change(office.typeId.toUpperCase(), { sortOrder: 3 })).body.sortOrder).toBe(3);
  });

  it('vanish only when no number of them was ever taken', async () => {
    const { body } = await add({ name: 'Engano' });
    expect((await office.admin.delete(`/api/document-types/${String(body.id)}`)).status).toBe(204);
    expect((await office.clerk.get(`/api/document-types/${String(body.id)}`)).status).toBe(404);

    await office.take(office.clerk);
    const used = await office.admin.delete(`/api/document-types/${office.typeId}`);
    expect([used.status, used.body.code]).toEqual([409, 'document-type-used']);
    await change(office.typeId, { isActive: false });
    expect(await names('?active=true')).toEqual([]);
    expect(await names('?active=false')).toEqual(['Ofício']);
  });

  it.each<[object, string]>([
    [{ name: 'x' }, '/name'],
    [{ name: 'x'.repeat(51) }, '/name'],
    [{ name: 7 }, '/name'],
    [{ name: 'Bom', prefix: '' }, '/prefix'],
    [{ name: 'Bom', prefix: 'A-B' }, '/prefix'],
    [{ name: 'Bom', prefix: 'x'.repeat(11) }, '/prefix'],
    [{ name: 'Bom', sortOrder: 0 }, '/sortOrder'],
    [{ name: 'Bom', sortOrder: 1.5 }, '/sortOrder'],
    [{ name: 'Bom', isActive: false }, '/isActive'],
  ])('are refused as %j', async (values, pointer) => {
    const answer = await add(values);
    expect([answer.status, pointersOf(answer)]).toEqual([400, [pointer]]);
  });

  it.each([{ name: null }, { sortOrder: null }, { isActive: null }, { prefix: 'ção' }])(
    'are not changed to %j',
    async (values) => {
      expect((await change(office.typeId, values)).status).toBe(400);
    },
  );

  it('are the business of admins, whose every change is on record', async () => {
    const refused = await office.clerk.post('/api/document-types', { name: 'Portaria' });
    expect([refused.status, refused.body.code]).toEqual([403, 'admins-only']);
    await change(office.typeId, { name: 'Ofício Externo' });
    const { body } = await office.admin.get('/api/admin-actions?limit=1');
    expect(body.items).toMatchObject([
      {
        action: 'document-type-changed',
        subject: 'Ofício',
        actorName: 'Ana Souza',
        details: { before: { name: 'Ofício' }, after: { name: 'Ofício Externo' } },
      },
    ]);
  });

  it('begin with the usual three, in an office that has none', async () => {
    const types = office.api.service.app.get(DocumentTypesService);
    await types.createFirst();
    expect(await names()).toEqual(['Ofício']);
    await office.api.uow.run((tx) => tx.entities.delete(DocumentTypeEntity, { id: office.typeId }));
    await types.createFirst();
    await types.createFirst();
    expect(await names()).toEqual(['Comunicação Interna', 'Ofício', 'Despacho']);
  });
});
