import { NumberLogEntity } from '@malote/numbering';
import { openType } from '@malote/numbering/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { GOOD_PASSWORD } from '../testing/numbering-api.ts';
import { describeOffice } from '../testing/office.ts';

const REASON = 'Assinado pela pessoa errada';

describeOffice('the register', (office) => {
  const annul = (who: typeof office.clerk, id: unknown, reason = REASON) =>
    who.post(`/api/numbers/${String(id)}/annulment`, { reason });

  it('keeps an annulled number, with who annulled it and why', async () => {
    const taken = await office.take(office.clerk);
    const annulled = await annul(office.admin, taken.body.id);

    expect([annulled.status, annulled.body]).toMatchObject([
      200,
      {
        formattedNumber: '1/2026',
        state: 'annulled',
        annulment: { reason: REASON, by: { name: 'Ana Souza' }, atLocal: '2026-03-10T12:00:00-03:00' },
      },
    ]);
    expect((await office.take(office.clerk)).body.formattedNumber).toBe('2/2026');
    expect(await office.numbersOf(office.clerk)).toEqual(['2/2026', '1/2026']);
  });

  it('lets clerks annul their own numbers only, once, and for a reason', async () => {
    const taken = await office.take(office.admin);
    const own = await office.take(office.clerk);

    const foreign = await annul(office.clerk, taken.body.id);
    expect([foreign.status, foreign.body.code]).toEqual([403, 'not-your-number']);
    const groundless = await annul(office.clerk, own.body.id, '         x');
    expect([groundless.status, groundless.body.errors]).toMatchObject([400, [{ pointer: '/reason' }]]);
    expect((await annul(office.clerk, own.body.id)).status).toBe(200);
    const again = await annul(office.clerk, own.body.id);
    expect([again.status, again.body.code]).toEqual([409, 'number-already-annulled']);
    expect((await annul(office.clerk, '999999')).status).toBe(404);
    expect((await annul(office.clerk, 'x')).status).toBe(400);
  });

  it('takes corrections of what is said of a number, and keeps what was said before', async () => {
    const { body: taken } = await office.take(office.clerk, {
      subject: 'Féria',
      recipient: 'RH',
      notes: 'x',
    });
    const path = `/api/numbers/${String(taken.id)}`;
    const amended = await office.clerk.patch(path, {
      subject: 'Férias',
      notes: null,
      processNumber: ' 10/26 ',
    });
    expect([amended.status, amended.body]).toMatchObject([
      200,
      {
        subject: 'Férias',
        recipient: 'RH',
        processNumber: '10/26',
        notes: null,
        hash: taken.hash,
        state: 'issued',
      },
    ]);
    await office.clerk.patch(path, { subject: 'Férias' });
    expect((await office.clerk.get(`${path}/history`)).body.items).toMatchObject([
      { kind: 'generated', subject: 'Féria', notes: 'x', by: { name: 'Bia Lima' } },
      { kind: 'amended', subject: 'Férias', recipient: 'RH', processNumber: '10/26', notes: null },
    ]);
    expect(await office.numbersOf(office.clerk, '?text=10/26')).toEqual(['1/2026']);
    await annul(office.clerk, taken.id);
    const late = await office.clerk.patch(path, { subject: 'Tarde' });
    expect([late.status, late.body.code]).toEqual([409, 'number-already-annulled']);
  });

  it('lets nobody but its taker and admins say something else of a number', async () => {
    const { body: taken } = await office.take(office.admin);
    const foreign = await office.clerk.patch(`/api/numbers/${String(taken.id)}`, { subject: 'x' });
    expect([foreign.status, foreign.body.code]).toEqual([403, 'not-your-number']);
    const wrong = await office.admin.patch(`/api/numbers/${String(taken.id)}`, { number: 7 });
    expect(wrong.status).toBe(400);
    expect((await office.admin.get('/api/numbers/4242/history')).status).toBe(404);
  });

  describe('with numbers of several people, types and days', () => {
    let dispatch = '';

    beforeEach(async () => {
      const { api, admin, clerk } = office;
      dispatch = await openType(api.uow, { name: 'Despacho', prefix: null, sortOrder: 2 });
      api.now = new Date('2026-03-11T02:55:00.000Z');
      await admin.logIn('ana@itajai.example', GOOD_PASSWORD);
      await clerk.logIn('bia@itajai.example', GOOD_PASSWORD);
      await office.take(clerk, { subject: '100% de desconto', recipient: 'Câmara' });
      await office.take(admin, { subject: 'Férias_2026' });
      api.now = new Date('2026-03-11T02:59:59.999Z');
      const third = await office.take(clerk, { documentTypeId: dispatch, recipient: 'Maria [SEMFAZ]' });
      api.now = new Date('2026-03-11T03:00:00.000Z');
      await office.take(clerk, { documentTypeId: dispatch });
      await annul(admin, third.body.id);
    });

    it.each<[string, () => Promise<string> | string, readonly string[]]>([
      ['everything, newest first', () => '', ['2/2026', '1/2026', '2/2026', '1/2026']],
      ['a type', () => `?documentTypeId=${dispatch}`, ['2/2026', '1/2026']],
      ['one state', () => '?state=annulled', ['1/2026']],
      ['the other state', () => '?state=issued', ['2/2026', '2/2026', '1/2026']],
      ['from a day on', () => '?from=2026-03-11', ['2/2026']],
      ['up to a day', () => '?to=2026-03-10', ['1/2026', '2/2026', '1/2026']],
      ['a day', () => '?from=2026-03-10&to=2026-03-10', ['1/2026', '2/2026', '1/2026']],
      ['no day at all', () => '?from=2026-03-12', []],
      ['a person', async () => `?userId=${(await office.api.userOf('ana@itajai.example')).id}`, ['2/2026']],
      ['part of a subject', () => '?text=descon', ['1/2026']],
      ['part of a recipient', () => '?text=semfaz', ['1/2026']],
      ['part of a name', () => '?text=ana%20s', ['1/2026', '2/2026']],
      ['words without their accents', () => '?text=FERIAS', ['2/2026']],
      ['a type', () => '?text=despacho', ['2/2026', '1/2026']],
      ['part of a reason', () => '?text=errada', ['1/2026']],
      ['part of a number', () => '?text=2/20', ['2/2026', '2/2026']],
      ['a number as a whole', () => '?text=1/2026', ['1/2026', '1/2026']],
      ['no accent alone', () => '?text=%CC%81', []],
      ['a percent sign', () => `?text=${encodeURIComponent('100%')}`, ['1/2026']],
      ['an underline', () => '?text=_', ['2/2026']],
      ['a bracket', () => '?text=[S', ['1/2026']],
      ['two conditions', () => `?documentTypeId=${dispatch}&state=issued`, ['2/2026']],
    ])('finds %s', async (_name, query, expected) => {
      expect(await office.numbersOf(office.clerk, await query())).toEqual(expected);
    });

    it('comes in pages that neither overlap nor skip', async () => {
      const first = await office.clerk.get('/api/numbers?limit=3');
      const second = await office.clerk.get(`/api/numbers?limit=3&cursor=${String(first.body.next)}`);
      const ids = [first, second].flatMap(({ body }) => (body.items as { id: string }[]).map(({ id }) => id));
      expect(new Set(ids).size).toBe(4);
      expect(second.body.next).toBeUndefined();
    });

    it.each([
      '?state=lost',
      '?from=2026-02-30',
      '?from=0000-01-01',
      '?to=9999-12-31',
      '?from=2026-03-11&to=2026-03-10',
      '?userId=x',
      '?kind=all',
      '?limit=0',
      '?text=%00',
    ])('refuses the filter %s', async (query) => {
      expect((await office.clerk.get(`/api/numbers${query}`)).status).toBe(400);
    });

    it('tells what is wrong with the filter of a file before the file begins', async () => {
      for (const query of ['?from=2026-03-11&to=2026-03-10', '?limit=1', '?cursor=abc']) {
        expect((await office.clerk.get(`/api/numbers/export${query}`)).status).toBe(400);
      }
    });

    it('comes as a file for spreadsheets, filtered alike', async () => {
      const download = (query: string) =>
        office.api.service.fetch(`/api/numbers/export${query}`, { token: office.clerk.accessToken ?? '' });
      const response = await download('?state=annulled');
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(response.headers.get('content-disposition')).toContain('registro.csv');
      const bytes = Buffer.from(await response.arrayBuffer());
      expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
      const lines = bytes.toString('utf8').split('\r\n');
      expect(lines[1]?.split(';').slice(0, 14)).toEqual([
        '"Despacho 1/2026"',
        '"1"',
        '"2026"',
        '"Despacho"',
        '""',
        '""',
        '"Maria [SEMFAZ]"',
        '""',
        '""',
        '"Bia Lima"',
        '"bia@itajai.example"',
        '"2026-03-10T23:59:59-03:00"',
        '"Anulado"',
        `"${REASON}"`,
      ]);
      expect(lines).toHaveLength(3);
      expect((await (await download('')).text()).split('\r\n')).toHaveLength(6);
    });
  });

  it('proves that it is complete, and names the first break', async () => {
    for (const subject of ['um', 'dois', 'três']) await office.take(office.clerk, { subject });
    const whole = await office.clerk.get('/api/numbers/audit');
    expect([whole.status, whole.body]).toMatchObject([
      200,
      {
        intact: true,
        sequences: [{ documentTypeName: 'Ofício', year: 2026, lastNumber: 3, entries: 3, intact: true }],
      },
    ]);

    await office.api.uow.run((tx) =>
      tx.entities.update(NumberLogEntity, { subject: 'dois' }, { subject: 'outra coisa' }),
    );
    const broken = await office.clerk.get(`/api/numbers/audit?year=2026&documentTypeId=${office.typeId}`);
    expect(broken.body).toMatchObject({
      intact: false,
      sequences: [{ firstBreak: { kind: 'entry-altered', position: 2, formattedNumber: '2/2026' } }],
    });
    expect((await office.clerk.get('/api/numbers/audit?year=1999')).status).toBe(400);
    const nobody = '/api/numbers/audit?documentTypeId=00000000-0000-4000-8000-000000000000';
    expect((await office.clerk.get(nobody)).status).toBe(404);
  });
});
