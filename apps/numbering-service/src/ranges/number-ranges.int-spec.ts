import { takeFiscalNumber } from '@malote/numbering';
import { expect, it } from '@jest/globals';
import { describeOffice, pointersOf } from '../testing/office.ts';

const RANGE = { issuer: '12.345.678/0001-95', kind: 'nfe', series: '1', lastNumber: 41 } as const;
const REASON = 'Série substituída pela matriz';

describeOffice('fiscal ranges', (office) => {
  const open = (values: object = {}) => office.admin.post('/api/number-ranges', { ...RANGE, ...values });
  const set = (id: unknown, what: string, reason = REASON) =>
    office.admin.post(`/api/number-ranges/${String(id)}/${what}`, { reason });
  const take = () =>
    office.api.uow.run((tx) => takeFiscalNumber(tx, { issuer: '12345678000195', kind: 'nfe', series: '1' }));

  it('are opened, drawn from, blocked and unblocked', async () => {
    const opened = await open();
    expect([opened.status, opened.body]).toMatchObject([
      201,
      { issuer: '12345678000195', kind: 'nfe', series: '1', lastNumber: 41, isBlocked: false },
    ]);
    expect(await take()).toBe(42);

    expect((await set(opened.body.id, 'block')).body).toMatchObject({ isBlocked: true, blockReason: REASON });
    expect((await set(opened.body.id, 'block', 'Uma segunda vez não muda')).body.blockReason).toBe(REASON);
    await expect(take()).rejects.toMatchObject({ code: 'range-blocked' });

    expect((await set(opened.body.id, 'unblock')).body).toMatchObject({
      isBlocked: false,
      blockReason: null,
    });
    expect(await take()).toBe(43);
    expect((await office.admin.get('/api/number-ranges')).body).toMatchObject({
      items: [{ lastNumber: 43 }],
    });
    const { body } = await office.admin.get('/api/admin-actions?limit=3');
    expect(body.items).toMatchObject([
      { action: 'range-unblocked', reason: REASON },
      { action: 'range-blocked' },
      { action: 'range-created', subject: '12345678000195 nfe 1' },
    ]);
  });

  it('exist once', async () => {
    await open();
    const again = await open({ issuer: '12345678000195', lastNumber: 0 });
    expect([again.status, again.body.code]).toEqual([409, 'range-exists']);
    expect((await open({ series: '2' })).status).toBe(201);
  });

  it.each<[object, string]>([
    [{ issuer: '12345678000190' }, '/issuer'],
    [{ kind: 'cte' }, '/kind'],
    [{ series: '001' }, '/series'],
    [{ series: 'AB' }, '/series'],
    [{ kind: 'dps', series: '0' }, '/series'],
    [{ lastNumber: -1 }, '/lastNumber'],
    [{ lastNumber: 999_999_999 }, '/lastNumber'],
    [{ lastNumber: null }, '/lastNumber'],
  ])('are refused as %j', async (values, pointer) => {
    const answer = await open(values);
    expect([answer.status, pointersOf(answer)]).toEqual([400, [pointer]]);
  });

  it('are the business of admins, for a reason', async () => {
    expect((await office.clerk.get('/api/number-ranges')).status).toBe(403);
    const { body } = await open();
    expect((await set(body.id, 'block', 'curto')).status).toBe(400);
    expect((await set('424242', 'block')).status).toBe(404);
  });
});
