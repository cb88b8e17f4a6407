import { describe, expect, it } from '@jest/globals';
import { NumberLogEntity } from '@malote/numbering';
import { openType } from '@malote/numbering/testing';
import { GOOD_PASSWORD } from '../testing/numbering-api.ts';
import { describePages } from './testing/page-office.ts';
import { wordsOf } from './testing/page-reader.ts';

describePages('the register on the page', (office) => {
  const shown = ({ text }: { text: string }) =>
    [...text.matchAll(/class="number"[\s\S]*?class="figure"\s*>([^<]+)</g)].map(([, number]) => number);

  it('shows every number to everybody, newest first', async () => {
    await office.clerk.take(office.typeId, { subject: 'Primeiro' });
    await office.admin.take(office.typeId, { subject: 'Segundo', recipient: 'Câmara' });
    const page = await office.clerk.get('/registro');
    expect(shown(page)).toEqual(['2/2026', '1/2026']);
    expect(wordsOf(page)).toContain('OF 2/2026 Ofício Segundo Câmara Ana Souza 10/03/2026 12:00 Emitido');
    expect(wordsOf(page)).toContain('2 números.');
  });

  it('marks annulled ones in words, with the reason', async () => {
    const place = await office.clerk.take(office.typeId);
    await office.clerk.post(`${place}/anular`, { reason: 'Emitido por engano' });
    const page = await office.clerk.get('/registro');
    expect(page.text).toMatch(/<tr role="row" class="is-annulled">/);
    expect(wordsOf(page)).toMatch(/12:00 Anulado Emitido por engano/);
  });

  it('filters by what the address says, and leaves out what was left empty', async () => {
    const other = await openType(office.api.uow, { name: 'Despacho', prefix: 'DESP', sortOrder: 2 });
    await office.clerk.take(office.typeId, { subject: 'Licitação do mobiliário' });
    office.api.pass(86_400_000);
    await office.clerk.logIn('bia@itajai.example', GOOD_PASSWORD);
    await office.admin.logIn('ana@itajai.example', GOOD_PASSWORD);
    await office.admin.take(other, { subject: 'Férias' });
    const annulled = await office.admin.take(office.typeId, { subject: 'Licitação anulada' });
    await office.admin.post(`${annulled}/anular`, { reason: 'Não será mais enviada' });
    const { id: bia } = await office.api.userOf('bia@itajai.example');

    const filtered = async (query: string) => shown(await office.clerk.get(`/registro?${query}`));
    expect(await filtered('text=Licita')).toEqual(['2/2026', '1/2026']);
    expect(await filtered('text=Licita&state=issued&userId=&from=&to=&documentTypeId=')).toEqual(['1/2026']);
    expect(await filtered(`documentTypeId=${other}`)).toEqual(['1/2026']);
    expect(await filtered(`userId=${bia}`)).toEqual(['1/2026']);
    expect(await filtered('from=2026-03-11')).toEqual(['2/2026', '1/2026']);
    expect(await filtered('to=2026-03-10')).toEqual(['1/2026']);
    const none = await office.clerk.get('/registro?text=nada+disso');
    expect(shown(none)).toEqual([]);
    expect(wordsOf(none)).toContain('Nenhum número encontrado com estes filtros.');
  });

  it('keeps the filters in the form, on paper and in the links', async () => {
    await office.clerk.take(office.typeId, { subject: 'Licitação' });
    const page = await office.clerk.get('/registro?text=Licita&state=issued&from=2026-03-01');
    expect(page.text).toMatch(/name="text"[^>]*value="Licita"/);
    expect(page.text).toMatch(/<option value="issued" selected>/);
    expect(page.text).toContain('href="/registro.csv?from=2026-03-01&amp;state=issued&amp;text=Licita"');
    expect(wordsOf(page)).toContain('Buscar: Licita · Situação: Emitido · De: 01/03/2026');
    expect(wordsOf(page)).toContain('Impresso em 10/03/2026 12:00 por Bia Lima');
    expect(page.text).toContain('<strong>Numeração de documentos</strong>');
  });

  it('says what is wrong with a filter', async () => {
    const page = await office.clerk.get('/registro?from=2026-02-30&documentTypeId=x&text=a');
    expect(page.status).toBe(400);
    expect(wordsOf(page)).toContain('De: uma data como 01/07/2026.');
    expect(wordsOf(page)).toContain('Tipo: escolha um da lista.');
    expect(page.text).toMatch(/name="text"[^>]*value="a"/);
    expect(page.text).toContain('<title>Erro: Registro');
  });

  it('goes on page by page, and refuses a page of other filters', async () => {
    for (let count = 0; count < 51; count += 1) await office.clerk.take(office.typeId);
    const first = await office.clerk.get('/registro');
    expect(shown(first)).toHaveLength(50);
    expect(wordsOf(first)).toContain('50 números, e há mais antigos.');
    const next = /rel="next"\s+href="([^"]+)"/.exec(first.text)?.[1] ?? '';
    const second = await office.clerk.get(next);
    expect(shown(second)).toEqual(['1/2026']);
    expect(wordsOf(second)).toContain('Voltar aos mais recentes');
    const foreign = await office.clerk.get(`${next}&text=a`);
    expect(foreign.status).toBe(400);
    expect(wordsOf(foreign)).toContain('Este link de página não vale para estes filtros.');
  });

  it('exports what the filters show, for spreadsheets', async () => {
    await office.clerk.take(office.typeId, { subject: '=SOMA(A1)' });
    await office.clerk.take(office.typeId, { subject: 'Outro' });
    const csv = await office.clerk.get('/registro.csv?text=SOMA&state=');
    expect(csv.status).toBe(200);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="registro.csv"');
    expect(csv.text.trim().split('\r\n')).toHaveLength(2);
    expect(csv.text).toContain(`"'=SOMA(A1)"`);
    const stranger = await office.reader().get('/registro.csv?text=SOMA');
    expect(stranger.location).toBe('/entrar?voltar=%2Fregistro%3Ftext%3DSOMA');
    // A link to download would save the login as the register.
    expect((await office.clerk.get('/registro')).text).not.toMatch(/<a[^>]*\sdownload/);
    const wrong = await office.clerk.get('/registro.csv?state=lost');
    expect(wrong.status).toBe(400);
    expect(wrong.headers.get('content-disposition')).toBeNull();
    expect(wordsOf(wrong)).toContain('Pedido inválido');
  });

  describe('the audit', () => {
    const tamper = () =>
      office.api.uow.run((tx) => tx.entities.update(NumberLogEntity, { number: 1 }, { subject: 'Outro' }));

    it('proves that nothing is missing', async () => {
      const place = await office.clerk.take(office.typeId);
      await office.clerk.post(`${place}/anular`, { reason: 'Emitido por engano' });
      await office.admin.post('/admin/sequencias', {
        documentTypeId: office.typeId,
        lastNumber: '40',
        justification: 'Continuação do livro de papel',
      });
      const words = wordsOf(await office.clerk.get('/auditoria'));
      expect(words).toContain('Registro íntegro');
      expect(words).toMatch(/Ofício 2026 Íntegro 40\/2026 3 1 2 a 40/);
    });

    it('says where it is broken, and how', async () => {
      await office.clerk.take(office.typeId, { subject: 'Certo' });
      await tamper();
      const words = wordsOf(await office.clerk.get('/auditoria'));
      expect(words).toContain('Atenção: 1 sequência com problema');
      expect(words).toContain(
        'Quebrado No registro 1 da sequência, número 1/2026: o conteúdo foi alterado depois de gravado.',
      );
    });

    it('shows on the home page what was found a minute ago at most; the page always looks', async () => {
      office.api.pass(10 * 60_000);
      await office.clerk.take(office.typeId, { subject: 'Certo' });
      const badge = async () => wordsOf(await office.clerk.get('/auditoria/selo'));
      expect(await badge()).toContain('Registro íntegro');
      await tamper();
      office.api.pass(59_000);
      expect(await badge()).toContain('Registro íntegro');
      office.api.pass(1_000);
      expect(await badge()).toContain('Atenção: 1 sequência com problema');

      await office.api.uow.run((tx) =>
        tx.entities.update(NumberLogEntity, { number: 1 }, { subject: 'Certo' }),
      );
      expect(await badge()).toContain('Atenção');
      expect(wordsOf(await office.clerk.get('/auditoria'))).toContain('Registro íntegro');
      expect(await badge()).toContain('Registro íntegro');
    });
  });
});
