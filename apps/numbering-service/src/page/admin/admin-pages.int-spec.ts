import { describe, expect, it } from '@jest/globals';
import { describePages } from '../testing/page-office.ts';
import { type ReadPage, valueOf, wordsOf } from '../testing/page-reader.ts';

const secretOf = ({ text }: ReadPage) => /<p class="secret"><code>([^<]+)<\/code>/.exec(text)?.[1] ?? '';

describePages('the pages of admins', (office) => {
  const idOf = async (email: string) => (await office.api.userOf(email)).id;

  describe('users', () => {
    it('are made with a temporary password that is shown once', async () => {
      const fields = { name: 'Caio Reis', email: 'Caio@Itajai.example', role: 'user' };
      const made = await office.admin.post('/admin/usuarios', fields);
      expect(made.status).toBe(200);
      expect(wordsOf(made)).toContain('até 13/03/2026 12:00');
      const password = secretOf(made);
      expect((await office.admin.get('/admin/usuarios')).text).not.toContain(password);
      const caio = office.reader();
      await caio.logIn('caio@itajai.example', password, '/senha');
    });

    it('are refused with what was typed and every rule that was broken', async () => {
      const page = await office.admin.post('/admin/usuarios', { name: 'C', email: 'caio@', role: 'user' });
      expect(page.status).toBe(400);
      expect(wordsOf(page)).toContain('Nome: de 2 a 100 caracteres.');
      expect(wordsOf(page)).toContain('E-mail: um endereço como');
      expect(valueOf(page, 'email')).toBe('caio@');
      expect(page.text.match(/\sautofocus/g)).toHaveLength(1);

      const fields = { name: 'Outra Bia', email: 'bia@itajai.example', role: 'user' };
      const taken = await office.admin.post('/admin/usuarios', fields);
      expect(taken.status).toBe(409);
      expect(taken.text).toMatch(/id="campo-email-erro"[^>]*>\s*Já existe um usuário com este e-mail\./);
    });

    it('can be changed, shut out, let in again, logged out and given a new password', async () => {
      const path = `/admin/usuarios/${await idOf('bia@itajai.example')}`;
      const change = await office.admin.post(path, { name: 'Beatriz Lima', role: 'admin' });
      expect(change).toMatchObject({ status: 303, location: `${path}?feito=usuario` });
      expect(wordsOf(await office.admin.get(path))).toContain('Beatriz Lima');
      expect(await office.clerk.get('/admin/tipos')).toMatchObject({ status: 200 });

      expect((await office.admin.post(`${path}/sessoes`)).location).toBe(`${path}?feito=desconectado`);
      expect(await office.clerk.get('/')).toMatchObject({ status: 303 });

      expect((await office.admin.post(`${path}/desativar`)).location).toBe(`${path}?feito=desativado`);
      const inactive = await office.admin.get(path);
      expect(wordsOf(inactive)).toContain('Inativo');
      expect(inactive.text).not.toContain(`action="${path}/senha"`);
      const refused = await office.admin.post(`${path}/senha`);
      expect(refused.status).toBe(409);
      expect(wordsOf(refused)).toContain('Este usuário está desativado.');
      expect((await office.admin.post(`${path}/ativar`)).location).toBe(`${path}?feito=ativado`);

      const password = secretOf(await office.admin.post(`${path}/senha`));
      await office.clerk.logIn('bia@itajai.example', password, '/senha');

      const history = wordsOf(await office.admin.get('/admin/historico'));
      expect(history).toContain(
        'Mudou o usuário Beatriz Lima nome: Bia Lima → Beatriz Lima; perfil: Usuário → Administração',
      );
      expect(history).toContain('Deu nova senha temporária');
    });

    it('do not lock themselves out', async () => {
      const path = `/admin/usuarios/${await idOf('ana@itajai.example')}`;
      expect(wordsOf(await office.admin.get(path))).toContain('Este é o seu próprio cadastro.');
      for (const action of ['desativar', 'senha']) {
        const page = await office.admin.post(`${path}/${action}`);
        expect(page.status).toBe(409);
        expect(wordsOf(page)).toContain('Ninguém pode fazer isto com o próprio cadastro.');
      }
      const emptied = await office.admin.post(path, { name: ' ', role: 'admin' });
      expect(emptied.status).toBe(400);
      expect(wordsOf(emptied)).toContain('Nome: de 2 a 100 caracteres.');
    });

    it('that do not exist have a page that says so', async () => {
      const page = await office.admin.get('/admin/usuarios/550e8400-e29b-41d4-a716-446655440000');
      expect(page.status).toBe(404);
      expect(wordsOf(page)).toContain('Este usuário não existe.');
    });
  });

  describe('document types', () => {
    it('are made, changed, deactivated, activated and removed', async () => {
      const made = await office.admin.post('/admin/tipos', { name: 'Alvará', prefix: 'AL', sortOrder: '' });
      expect(made).toMatchObject({ status: 303, location: '/admin/tipos?feito=tipo' });
      const list = await office.admin.get('/admin/tipos?feito=tipo');
      expect(wordsOf(list)).toContain('Alvará AL 2 Ativo');
      const path =
        [...list.text.matchAll(/href="(\/admin\/tipos\/[^"]+)"\s+aria-label="Gerenciar Alvará"/g)][0]?.[1] ??
        '';

      const changed = await office.admin.post(path, { name: 'Alvará Judicial', prefix: '', sortOrder: '7' });
      expect(changed.location).toBe(`${path}?feito=tipo`);
      expect(wordsOf(await office.admin.get('/admin/tipos'))).toContain('Alvará Judicial — 7 Ativo');

      await office.admin.post(`${path}/desativar`);
      expect(wordsOf(await office.clerk.get('/'))).not.toContain('Alvará');
      await office.admin.post(`${path}/ativar`);
      expect(wordsOf(await office.clerk.get('/'))).toContain('Alvará Judicial próximo 1/2026');
      expect((await office.admin.post(`${path}/remover`)).location).toBe('/admin/tipos?feito=tipo-removido');
      expect(await office.admin.get(path)).toMatchObject({ status: 404 });
    });

    it('are refused where the API would refuse them', async () => {
      const same = await office.admin.post('/admin/tipos', { name: 'OFÍCIO' });
      expect(same.status).toBe(409);
      expect(wordsOf(same)).toContain('Já existe um tipo ativo com este nome.');
      const wrong = await office.admin.post('/admin/tipos', { name: 'X', prefix: 'a b', sortOrder: '1,5' });
      expect(wrong.status).toBe(400);
      for (const rule of ['Nome: de 2 a 50', 'Prefixo: de 1 a 10', 'Ordem: um número inteiro']) {
        expect(wordsOf(wrong)).toContain(rule);
      }
      await office.clerk.take(office.typeId);
      const used = await office.admin.post(`/admin/tipos/${office.typeId}/remover`);
      expect(used.status).toBe(409);
      expect(wordsOf(used)).toContain('Desative-o.');
    });
  });

  it('moves a sequence on, and never back', async () => {
    const fields = {
      documentTypeId: office.typeId,
      lastNumber: '36',
      justification: 'Livro de papel até 36',
    };
    expect((await office.admin.post('/admin/sequencias', fields)).location).toBe(
      '/admin/sequencias?feito=sequencia',
    );
    expect(wordsOf(await office.clerk.get('/'))).toContain('próximo 37/2026');
    expect(wordsOf(await office.admin.get('/admin/sequencias'))).toMatch(
      /Ajustes feitos .*Ofício 36\/2026 .* Ana Souza/,
    );
    const back = await office.admin.post('/admin/sequencias', { ...fields, lastNumber: '10' });
    expect(back.status).toBe(409);
    expect(back.text).toMatch(
      /id="campo-lastNumber-erro"[^>]*>\s*A sequência já está em 36\/2026\. Só é possível avançar\./,
    );
    expect(valueOf(back, 'lastNumber')).toBe('10');
    const wrong = await office.admin.post('/admin/sequencias', { lastNumber: 'dez', justification: 'curta' });
    expect(wrong.status).toBe(400);
    for (const rule of [
      'Tipo: escolha um',
      'um número inteiro de 1 a 999999',
      'Justificativa: de 10 a 500',
    ]) {
      expect(wordsOf(wrong)).toContain(rule);
    }
  });

  it('opens, blocks and unblocks fiscal ranges', async () => {
    const fields = { issuer: '11.222.333/0001-81', kind: 'nfe', series: '1', lastNumber: '1520' };
    expect((await office.admin.post('/admin/faixas', fields)).location).toBe('/admin/faixas?feito=faixa');
    const list = await office.admin.get('/admin/faixas');
    expect(wordsOf(list)).toContain('11.222.333/0001-81 NF-e 1 1520 Aberta');
    const path = /href="(\/admin\/faixas\/\d+)"/.exec(list.text)?.[1] ?? '';

    const twice = await office.admin.post('/admin/faixas', fields);
    expect(twice.status).toBe(409);
    expect(wordsOf(twice)).toContain('O emitente já tem uma faixa deste documento e desta série.');
    const wrong = await office.admin.post('/admin/faixas', { issuer: '123', kind: 'nfe', series: '01' });
    expect(wrong.status).toBe(400);
    expect(wordsOf(wrong)).toContain('Emitente: um CNPJ ou CPF válido');
    const series = await office.admin.post('/admin/faixas', { ...fields, series: '01' });
    expect(series.status).toBe(400);
    expect(wordsOf(series)).toContain('Sem zeros à esquerda.');

    const short = await office.admin.post(`${path}/bloquear`, { reason: 'curto' });
    expect(short.status).toBe(400);
    await office.admin.post(`${path}/bloquear`, { reason: 'Certificado digital vencido' });
    expect(wordsOf(await office.admin.get('/admin/faixas'))).toContain(
      'Bloqueada Certificado digital vencido',
    );
    await office.admin.post(`${path}/desbloquear`, { reason: 'Certificado renovado hoje' });
    expect(wordsOf(await office.admin.get('/admin/faixas'))).toContain('1520 Aberta');
    expect(wordsOf(await office.admin.get('/admin/historico'))).toContain('Desbloqueou a faixa');
    expect(await office.admin.get('/admin/faixas/999')).toMatchObject({ status: 404 });
  });

  it('tells what admins did, page by page', async () => {
    const path = `/admin/usuarios/${await idOf('bia@itajai.example')}`;
    for (let count = 0; count < 26; count += 1) {
      await office.admin.post(`${path}/desativar`);
      await office.admin.post(`${path}/ativar`);
    }
    const first = await office.admin.get('/admin/historico');
    const next = /rel="next"\s+href="([^"]+)"/.exec(first.text)?.[1] ?? '';
    const second = await office.admin.get(next);
    expect(wordsOf(second)).toContain('Console do servidor Criou o usuário');
    expect(wordsOf(second)).toContain('Voltar aos mais recentes');
    expect(await office.admin.get('/admin/historico?cursor=forged')).toMatchObject({ status: 400 });
    expect(await office.admin.get('/admin')).toMatchObject({ status: 303, location: '/admin/usuarios' });
  });
});
