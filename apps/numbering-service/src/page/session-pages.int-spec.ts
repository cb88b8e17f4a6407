import { describe, expect, it } from '@jest/globals';
import { GOOD_PASSWORD, OTHER_PASSWORD } from '../testing/numbering-api.ts';
import { UserEntity } from '../users/user.entity.ts';
import { describePages } from './testing/page-office.ts';
import { valueOf, wordsOf } from './testing/page-reader.ts';
import { type PageRoute, pageRoutes } from './testing/page-routes.ts';

const ALWAYS_OPEN = /^\/(?:assets|entrar|sair)/;
const BEHIND_LOGIN = pageRoutes().filter(({ path }) => !ALWAYS_OPEN.test(path));

describePages('getting in', (office) => {
  const ask = (reader: ReturnType<typeof office.reader>, { method, path }: PageRoute) =>
    method === 'GET' ? reader.get(path) : reader.post(path);

  it('makes somebody who was invited choose a password before anything else', async () => {
    const password = await office.invite('caio@itajai.example', 'Caio Reis');
    const caio = office.reader();

    const login = await caio.post('/entrar', { email: 'caio@itajai.example', password });
    expect(login).toMatchObject({ status: 303, location: '/senha' });
    expect(await caio.get('/')).toMatchObject({ status: 303, location: '/senha' });
    expect((await caio.get('/senha')).text).not.toContain('currentPassword');

    const weak = await caio.post('/senha', { newPassword: 'curta demais' });
    expect(weak.status).toBe(400);
    expect(wordsOf(weak)).toContain('Nova senha: 15 caracteres ou mais.');
    expect(weak.text).not.toContain('curta demais');

    expect(await caio.post('/senha', { newPassword: OTHER_PASSWORD })).toMatchObject({
      status: 303,
      location: '/?feito=senha',
    });
    const home = await caio.get('/?feito=senha');
    expect(home.status).toBe(200);
    expect(wordsOf(home)).toContain('Boa tarde, Caio');
    expect(wordsOf(home)).toContain('Senha trocada.');
  });

  it('knows every route there is', () => {
    expect(BEHIND_LOGIN.length).toBeGreaterThan(30);
    expect(BEHIND_LOGIN).toContainEqual({ method: 'POST', path: '/admin/faixas/1/bloquear' });
  });

  it.each(BEHIND_LOGIN)('leads strangers from $method $path to the login', async (route) => {
    const { status, location, text } = await ask(office.reader(), route);
    expect(status).toBe(303);
    expect(location).toMatch(/^\/entrar(?:\?voltar=|\?aviso=formulario$|$)/);
    expect(text).toBe('');
  });

  it('lets nobody past the change of a temporary password', async () => {
    const password = await office.invite('caio@itajai.example', 'Caio Reis', 'admin');
    const caio = office.reader();
    await caio.logIn('caio@itajai.example', password, '/senha');
    for (const route of BEHIND_LOGIN.filter(({ path }) => path !== '/senha')) {
      const { status, location } = await ask(caio, route);
      expect({ route, status, location }).toEqual({ route, status: 303, location: '/senha' });
    }
    expect(await caio.get('/senha')).toMatchObject({ status: 200 });
  });

  it('shows clerks a page instead of what is for admins', async () => {
    const routes = BEHIND_LOGIN.filter(({ path }) => path.startsWith('/admin'));
    expect(routes.length).toBeGreaterThan(20);
    for (const route of routes) {
      const page = await ask(office.clerk, route);
      expect({ route, status: page.status }).toEqual({ route, status: 403 });
      expect(wordsOf(page)).toContain('Esta área é só da administração.');
    }
  });

  it('refuses every form another site sends, whoever is logged in', async () => {
    const posts = pageRoutes().filter(({ method }) => method === 'POST');
    expect(posts.length).toBeGreaterThan(15);
    for (const { path } of posts) {
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
        const page = await office.admin.post(path, {}, headers);
        expect({ path, status: page.status }).toEqual({ path, status: 403 });
        expect(wordsOf(page)).toContain('O pedido veio de outro site e foi recusado.');
      }
    }
    expect(await office.admin.get('/')).toMatchObject({ status: 200 });
  });

  describe('the login', () => {
    it('says the same of a wrong password and an unknown address, and keeps the address', async () => {
      const reader = office.reader();
      for (const email of ['bia@itajai.example', 'nobody@itajai.example']) {
        const page = await reader.post('/entrar', { email, password: 'não é esta' });
        expect(page.status).toBe(401);
        expect(wordsOf(page)).toContain('E-mail ou senha incorretos.');
        expect(valueOf(page, 'email')).toBe(email);
        expect(page.text).not.toContain('não é esta');
      }
    });

    it('says that a temporary password has expired to who typed it', async () => {
      const email = 'caio@itajai.example';
      const password = await office.invite(email, 'Caio Reis');
      office.api.pass(72 * 3_600_000);
      const page = await office.reader().post('/entrar', { email, password });
      expect(page.status).toBe(401);
      expect(wordsOf(page)).toContain('Esta senha temporária venceu. Peça outra à administração.');
    });

    it('says which field was left out', async () => {
      const page = await office.reader().post('/entrar', { email: 'bia@itajai.example', password: '' });
      expect(page.status).toBe(400);
      expect(page.text).toMatch(
        /<input[^>]*name="password"[^>]*aria-invalid="true"[^>]*aria-describedby="campo-password-erro"[^>]*autofocus/,
      );
      expect(wordsOf(page)).toContain('Senha: digite a sua senha.');
      expect(page.text).toContain('<title>Erro: Entrar');
    });

    it('says how long to wait after too many attempts', async () => {
      const reader = office.reader();
      const attempt = () => reader.post('/entrar', { email: 'bia@itajai.example', password: 'errada' });
      let page = await attempt();
      for (let tries = 0; tries < 20 && page.status !== 429; tries += 1) page = await attempt();
      expect(page.status).toBe(429);
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(wordsOf(page)).toMatch(
        /Houve muitas tentativas seguidas\. Tente de novo em \d+ (?:segundo|minuto)s?\./,
      );
    });

    it('comes back to the page that was asked for', async () => {
      const reader = office.reader();
      const asked = await reader.get('/registro?text=of%C3%ADcio&state=annulled');
      const form = await reader.get(asked.location ?? '');
      const voltar = valueOf(form, 'voltar').replaceAll('&amp;', '&');
      const login = await reader.post('/entrar', {
        email: 'bia@itajai.example',
        password: GOOD_PASSWORD,
        voltar,
      });
      expect(login.location).toBe('/registro?text=of%C3%ADcio&state=annulled');
    });

    it.each(['//evil.example', '/\\evil.example', 'https://evil.example/', '/..//evil.example'])(
      'never leads to %s',
      async (voltar) => {
        const form = await office.reader().get(`/entrar?voltar=${encodeURIComponent(voltar)}`);
        expect(form.text).not.toContain('evil');
        const fields = { email: 'bia@itajai.example', password: GOOD_PASSWORD, voltar };
        expect((await office.reader().post('/entrar', fields)).location).toBe('/');
        const again = await office.clerk.get(`/entrar?voltar=${encodeURIComponent(voltar)}`);
        expect(again).toMatchObject({ status: 303, location: '/' });
      },
    );

    it('is not shown to who is in already', async () => {
      expect(await office.clerk.get('/entrar')).toMatchObject({ status: 303, location: '/' });
    });
  });

  it('ends the session with the logout, on the server too', async () => {
    const copy = office.reader();
    copy.cookie = office.clerk.cookie;
    expect(await office.clerk.post('/sair')).toMatchObject({ status: 303, location: '/entrar?feito=saiu' });
    expect(office.clerk.cookie).toBe('');
    expect(await copy.get('/')).toMatchObject({ status: 303, location: '/entrar?aviso=sessao' });
    expect(wordsOf(await office.clerk.get('/entrar?feito=saiu'))).toContain('Você saiu.');
  });

  it('renews the cookie of who goes on working, and sends away who did not', async () => {
    const before = office.clerk.cookie;
    office.api.pass(20 * 60_000);
    await office.clerk.get('/');
    expect(office.clerk.cookie).not.toBe(before);
    office.api.pass(2 * 3_600_000);
    expect(await office.clerk.get('/registro')).toMatchObject({
      location: '/entrar?voltar=%2Fregistro&aviso=sessao',
    });
  });

  describe('when a session has ended', () => {
    const logInOf = async (location: string | null) => wordsOf(await office.reader().get(location ?? ''));
    const host = () => office.api.service.url;

    it('says so to who was here, and nothing to who comes for the first time', async () => {
      office.api.pass(2 * 3_600_000);
      const ended = await logInOf((await office.clerk.get('/registro')).location);
      expect(ended).toContain('Sua sessão terminou. Entre de novo.');
      expect(await logInOf((await office.reader().get('/registro')).location)).not.toContain('terminou');
      expect(await logInOf('/entrar?aviso=constructor')).not.toContain('terminou');
    });

    it('says that a form was not saved, and comes back to it', async () => {
      office.api.pass(2 * 3_600_000);
      const referer = `${host()}/novo/${office.typeId}`;
      for (const reader of [office.clerk, office.reader()]) {
        const { status, location } = await reader.post('/numeros', {}, { referer });
        expect({ status, location }).toEqual({
          status: 303,
          location: `/entrar?voltar=%2Fnovo%2F${office.typeId}&aviso=formulario`,
        });
        expect(await logInOf(location)).toContain('Sua sessão terminou e nada foi gravado. Entre de novo.');
      }
    });

    it.each([
      ['https://evil.example/novo/1', '/entrar?aviso=formulario'],
      ['not an address', '/entrar?aviso=formulario'],
      ['/numeros', '/entrar?aviso=formulario'],
      ['/numeros/7/corrigir', '/entrar?voltar=%2Fnumeros%2F7%2Fcorrigir&aviso=formulario'],
      ['/admin/usuarios/7f-1/senha', '/entrar?voltar=%2Fadmin%2Fusuarios%2F7f-1&aviso=formulario'],
    ])('comes back from %s to a page of ours: %s', async (from, login) => {
      const referer = from.startsWith('/') ? `${host()}${from}` : from;
      expect((await office.reader().post('/numeros', {}, { referer })).location).toBe(login);
    });
  });

  it('leads a script to the login of the page it runs on, not into the middle of it', async () => {
    const headers = { 'hx-request': 'true', 'hx-current-url': `${office.api.service.url}/registro?text=a` };
    const { status, location, headers: answered, text } = await office.reader().get('/proximos', headers);
    expect({ status, location, text }).toEqual({ status: 200, location: null, text: '' });
    expect(answered.get('hx-redirect')).toBe('/entrar?voltar=%2Fregistro%3Ftext%3Da');
  });

  it('asks for the current password of who has one and must change it', async () => {
    await office.api.uow.run((tx) =>
      tx.entities.update(UserEntity, { email: 'bia@itajai.example' }, { mustChangePassword: true }),
    );
    expect(await office.clerk.get('/')).toMatchObject({ status: 303, location: '/senha' });
    const form = await office.clerk.get('/senha');
    expect(valueOf(form, 'currentPassword')).toBe('');
    expect(wordsOf(form)).not.toContain('senha temporária');
    const wrong = await office.clerk.post('/senha', { newPassword: OTHER_PASSWORD });
    expect(wordsOf(wrong)).toContain('Senha atual: digite a senha que você usa hoje.');
    const fields = { currentPassword: GOOD_PASSWORD, newPassword: OTHER_PASSWORD };
    expect((await office.clerk.post('/senha', fields)).location).toBe('/?feito=senha');
    expect(await office.clerk.get('/')).toMatchObject({ status: 200 });
  });

  it('asks for the current password of who has one', async () => {
    const wrong = await office.clerk.post('/senha', { currentPassword: 'x', newPassword: OTHER_PASSWORD });
    expect(wrong.status).toBe(400);
    expect(wordsOf(wrong)).toContain('A senha atual não confere.');
    const right = await office.clerk.post('/senha', {
      currentPassword: GOOD_PASSWORD,
      newPassword: OTHER_PASSWORD,
    });
    expect(right).toMatchObject({ status: 303, location: '/?feito=senha' });
    expect(await office.clerk.get('/')).toMatchObject({ status: 200 });
  });
});
