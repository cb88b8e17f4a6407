import { describe, expect, it } from '@jest/globals';
import { DocumentTypeEntity } from '@malote/numbering';
import { openType } from '@malote/numbering/testing';
import { describePages } from './testing/page-office.ts';
import { type PageReader, valueOf, wordsOf } from './testing/page-reader.ts';

describePages('taking a number on the page', (office) => {
  const setActive = (isActive: boolean) =>
    office.api.uow.run((tx) => tx.entities.update(DocumentTypeEntity, office.typeId, { isActive }));

  it('takes no script: home, form, number', async () => {
    const home = await office.clerk.get('/');
    expect(wordsOf(home)).toContain('Ofício OF próximo 1/2026');
    expect(home.text).toContain(`href="/novo/${office.typeId}"`);

    const form = await office.clerk.get(`/novo/${office.typeId}`);
    expect(wordsOf(form)).toContain('será OF 1/2026 se ninguém pegar antes');

    const sent = await office.clerk.post('/numeros', {
      key: valueOf(form, 'key'),
      documentTypeId: office.typeId,
      subject: '  Pedido de prazo ',
      recipient: 'Tribunal de Contas',
    });
    expect(sent.status).toBe(303);

    const number = await office.clerk.get(sent.location ?? '');
    expect(number.status).toBe(200);
    expect(wordsOf(number)).toContain('Seu número Ofício OF 1/2026');
    expect(wordsOf(number)).toContain('Pedido de prazo');
    expect(wordsOf(number)).toContain('10/03/2026 12:00');
    expect(number.text).toMatch(/<code class="long">[0-9a-f]{64}<\/code>/);

    const after = wordsOf(await office.clerk.get('/'));
    expect(after).toContain('próximo 2/2026');
    expect(after).toContain('Meus últimos números OF 1/2026 Pedido de prazo 10/03/2026 12:00 Emitido');
  });

  it('gives one number to a form that is sent twice, also at the same time', async () => {
    const form = await office.clerk.get(`/novo/${office.typeId}`);
    const fields = { key: valueOf(form, 'key'), documentTypeId: office.typeId, subject: 'Um só' };
    const sent = await Promise.all([1, 2, 3].map(() => office.clerk.post('/numeros', fields)));
    const again = await office.clerk.post('/numeros', fields);
    const places = [...sent, again].map(({ status, location }) => `${status} ${location ?? ''}`);
    expect(new Set(places).size).toBe(1);
    expect(wordsOf(await office.clerk.get('/'))).toContain('próximo 2/2026');
  });

  it('tells which number a form has, when it was changed and sent again', async () => {
    const form = await office.clerk.get(`/novo/${office.typeId}`);
    const fields = { key: valueOf(form, 'key'), documentTypeId: office.typeId };
    const { location } = await office.clerk.post('/numeros', { ...fields, subject: 'Antes' });
    const page = await office.clerk.post('/numeros', { ...fields, subject: 'Depois' });
    expect(page.status).toBe(409);
    expect(wordsOf(page)).toContain('Este formulário já recebeu um número 1/2026');
    expect(page.text).toContain(`href="${location ?? 'nowhere'}"`);
    expect(page.text).toContain(`href="/novo/${office.typeId}"`);
    expect(wordsOf(await office.clerk.get('/'))).toContain('próximo 2/2026');
  });

  it('takes no number for a form without its key', async () => {
    for (const key of ['', 'abc']) {
      const page = await office.clerk.post('/numeros', { key, documentTypeId: office.typeId });
      expect(page.status).toBe(400);
      expect(wordsOf(page)).toContain('O formulário chegou incompleto.');
    }
    expect(wordsOf(await office.clerk.get('/'))).toContain('próximo 1/2026');
  });

  it('shows a refused form again with what was typed, and says the whole rule', async () => {
    const form = await office.clerk.get(`/novo/${office.typeId}`);
    const key = valueOf(form, 'key');
    const page = await office.clerk.post('/numeros', {
      key,
      documentTypeId: office.typeId,
      subject: 'a'.repeat(201),
      recipient: 'Câmara',
    });
    expect(page.status).toBe(400);
    expect(wordsOf(page)).toContain('Assunto: no máximo 200 caracteres, em uma linha.');
    expect(valueOf(page, 'recipient')).toBe('Câmara');
    expect(valueOf(page, 'key')).toBe(key);
    expect(page.text).toMatch(/name="subject"[^>]*aria-invalid="true"/);
    expect(page.text).not.toMatch(/name="recipient"[^>]*aria-invalid/);
  });

  it('shows what people typed as text, wherever it is shown', async () => {
    const evil = `<script>alert('1')</script>"><img src=x onerror=alert(1)>`;
    const place = await office.clerk.take(office.typeId, { subject: evil, recipient: evil });
    await office.clerk.post(`${place}/anular`, { reason: `${evil} de novo` });
    const pages = [place, '/', '/registro', `/registro?text=${encodeURIComponent(evil)}`];
    for (const path of pages) {
      const { text } = await office.clerk.get(path);
      expect(text).not.toMatch(/<script>|<img src=x/);
      expect(text).toContain('&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&gt;&lt;img');
    }
  });

  it('tells of a type that was deactivated while its form was open', async () => {
    const form = await office.clerk.get(`/novo/${office.typeId}`);
    await setActive(false);
    const page = await office.clerk.post('/numeros', {
      key: valueOf(form, 'key'),
      documentTypeId: office.typeId,
    });
    expect(page.status).toBe(409);
    expect(wordsOf(page)).toContain('Este tipo de documento está desativado e não dá mais números.');
    expect(await office.clerk.get(`/novo/${office.typeId}`)).toMatchObject({ status: 409 });
    expect(wordsOf(await office.clerk.get('/'))).toContain('Nenhum tipo de documento está ativo.');
  });

  it('offers the types in their order, and refreshes their numbers alone', async () => {
    await openType(office.api.uow, { name: 'Despacho', prefix: null, sortOrder: 9 });
    await openType(office.api.uow, { name: 'Alvará', prefix: 'AL', sortOrder: 5 });
    await office.clerk.take(office.typeId);
    const { text, status } = await office.clerk.get('/proximos');
    expect(status).toBe(200);
    expect(text).not.toContain('<html');
    expect(wordsOf({ text })).toMatch(
      /Ofício OF próximo 2\/2026 Alvará AL próximo 1\/2026 Despacho próximo 1\/2026/,
    );
  });

  describe('correction', () => {
    it('changes what is said of a number, and shows what was said before', async () => {
      const place = await office.clerk.take(office.typeId, {
        subject: 'Féria',
        recipient: 'RH',
        notes: 'um\r\ndois',
      });
      const form = await office.clerk.get(`${place}/corrigir`);
      expect([valueOf(form, 'subject'), valueOf(form, 'recipient')]).toEqual(['Féria', 'RH']);
      expect(form.text).toContain('um dois</textarea>');

      const long = await office.clerk.post(`${place}/corrigir`, {
        subject: 'Férias',
        processNumber: 'x'.repeat(51),
      });
      expect(long.status).toBe(400);
      expect(wordsOf(long)).toContain('Processo: no máximo 50 caracteres, em uma linha.');
      expect(valueOf(long, 'subject')).toBe('Férias');

      expect(
        await office.clerk.post(`${place}/corrigir`, { subject: 'Férias', processNumber: '10/2026' }),
      ).toMatchObject({ status: 303, location: `${place}?feito=corrigido` });
      const words = wordsOf(await office.admin.get(place));
      expect(words).toContain('Assunto Férias Processo 10/2026 Gerado por Bia Lima');
      expect(words).toMatch(/Histórico Gerado · Bia Lima .*Assunto Féria Destinatário RH Observação um dois/);
      expect(words).toMatch(/Corrigido · Bia Lima .*Assunto Férias Processo 10\/2026/);
      expect(wordsOf(await office.clerk.get('/registro?text=10/2026'))).toContain('Férias');
    });

    it('does not write over what somebody else wrote meanwhile', async () => {
      const place = await office.clerk.take(office.typeId, { subject: 'Féria' });
      const seen = valueOf(await office.clerk.get(`${place}/corrigir`), 'seen');
      const amend = (reader: PageReader, fields: Record<string, string>) =>
        reader.post(`${place}/corrigir`, fields);
      expect((await amend(office.admin, { seen, subject: 'Férias da Bia' })).status).toBe(303);

      const long = await amend(office.clerk, { seen, subject: 'Férias', processNumber: 'x'.repeat(51) });
      expect(valueOf(long, 'seen')).toBe(seen);
      const refused = await amend(office.clerk, { seen, subject: 'Férias' });
      expect(refused.status).toBe(409);
      expect(wordsOf(refused)).toContain(
        'Outra pessoa corrigiu este número enquanto você escrevia. Confira e salve de novo.',
      );
      expect(valueOf(refused, 'subject')).toBe('Férias da Bia');

      const again = { seen: valueOf(refused, 'seen'), subject: 'Férias' };
      expect((await amend(office.clerk, again)).status).toBe(303);
    });

    it('is for who took the number, and for admins, until it is annulled', async () => {
      const place = await office.clerk.take(office.typeId, { subject: 'Férias' });
      const caio = await office.hire('caio@itajai.example', 'Caio Reis');
      expect((await caio.get(place)).text).not.toContain('/corrigir');
      expect(await caio.get(`${place}/corrigir`)).toMatchObject({ status: 303, location: place });
      expect((await caio.post(`${place}/corrigir`, { subject: 'Meu' })).status).toBe(403);
      expect((await office.admin.post(`${place}/corrigir`, { subject: 'Licença' })).status).toBe(303);
      await office.clerk.post(`${place}/anular`, { reason: 'Emitido em duplicidade' });
      expect((await office.clerk.post(`${place}/corrigir`, { subject: 'Tarde' })).status).toBe(409);
      expect((await office.clerk.get(place)).text).not.toContain('/corrigir');
    });
  });

  describe('annulment', () => {
    it('keeps the number, with who did it and why', async () => {
      const place = await office.clerk.take(office.typeId, { subject: 'Duplicado' });
      const form = await office.clerk.get(`${place}/anular`);
      expect(wordsOf(form)).toContain('A anulação não pode ser desfeita.');

      const short = await office.clerk.post(`${place}/anular`, { reason: 'curto' });
      expect(short.status).toBe(400);
      expect(wordsOf(short)).toContain('Motivo: de 10 a 500 caracteres.');
      expect(short.text).toContain('curto</textarea>');

      const reason = 'Documento emitido\r\nem duplicidade';
      expect(await office.clerk.post(`${place}/anular`, { reason })).toMatchObject({
        status: 303,
        location: `${place}?feito=anulado`,
      });
      const words = wordsOf(await office.admin.get(place));
      expect(words).toContain('Anulado por Bia Lima em 10/03/2026 12:00');
      expect(words).toContain('Motivo: Documento emitido em duplicidade');
      expect(wordsOf(await office.clerk.get('/'))).toContain('próximo 2/2026');

      const twice = await office.clerk.post(`${place}/anular`, { reason: 'Mais uma vez, por engano' });
      expect(twice.status).toBe(409);
      expect(wordsOf(twice)).toContain('Este número já foi anulado.');
      expect(await office.clerk.get(`${place}/anular`)).toMatchObject({ status: 303, location: place });
    });

    it('is for who took the number, and for admins', async () => {
      const place = await office.clerk.take(office.typeId);
      const caio = await office.hire('caio@itajai.example', 'Caio Reis');
      expect((await caio.get(place)).text).not.toContain('/anular');
      expect((await office.admin.get(place)).text).toContain(`${place}/anular`);
      const refused = await caio.post(`${place}/anular`, { reason: 'Não gostei deste número' });
      expect(refused.status).toBe(403);
      expect(wordsOf(refused)).toContain(
        'Só quem pegou o número, ou a administração, pode corrigi-lo ou anulá-lo.',
      );
      const done = await office.admin.post(`${place}/anular`, { reason: 'Pedido de quem o pegou' });
      expect(done.status).toBe(303);
    });
  });

  it.each([
    ['/numeros/999999', 404, 'Este número não existe.'],
    ['/numeros/abc', 400, 'Pedido inválido'],
    ['/numeros/0', 400, 'Pedido inválido'],
    ['/novo/550e8400-e29b-41d4-a716-446655440000', 404, 'Este tipo de documento não existe.'],
    ['/novo/1', 400, 'Pedido inválido'],
    ['/nada/aqui', 404, 'Não há nada neste endereço.'],
  ])('has a page for %s', async (path, status, words) => {
    const page = await office.clerk.get(path);
    expect(page.status).toBe(status);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(wordsOf(page)).toContain(words);
  });
});
