import { expect, it, jest } from '@jest/globals';
import { AppError } from '@malote/app-error';
import { NumbersService } from '../numbers/numbers.service.ts';
import { describePages } from './testing/page-office.ts';
import { wordsOf } from './testing/page-reader.ts';

describePages('what goes wrong on the page', (office) => {
  const failWith = (error: Error) =>
    jest.spyOn(office.api.service.app.get(NumbersService), 'next').mockRejectedValue(error);

  it('asks for patience while the database is away', async () => {
    const details = { retryAfterSeconds: 5 };
    failWith(new AppError('unavailable', 'database-unavailable', 'The database does not answer', details));
    const page = await office.clerk.get('/');
    expect(page.status).toBe(503);
    expect(page.headers.get('retry-after')).toBe('5');
    expect(wordsOf(page)).toContain('O banco de dados não está respondendo agora.');
    expect(wordsOf(page)).toContain('Tente de novo em 5 segundos.');
  });

  it('says nothing of an error of ours but the code to ask about it with', async () => {
    failWith(new Error('secret of the inside'));
    const page = await office.clerk.get('/', { 'x-request-id': 'pedido-4711' });
    expect(page.status).toBe(500);
    expect(page.text).not.toContain('secret');
    expect(wordsOf(page)).toContain('Código para o suporte: pedido-4711');
    expect(office.api.service.logs.text).toContain('secret of the inside');
  });

  it('has a general sentence for a refusal it does not know', async () => {
    failWith(new AppError('conflict', 'never-heard-of', 'Something new'));
    const page = await office.clerk.get('/', { 'x-request-id': 'pedido-4712' });
    expect(page.status).toBe(409);
    expect(wordsOf(page)).toContain('A situação mudou enquanto você estava nesta página.');
    expect(wordsOf(page)).toContain('pedido-4712');
  });

  it('shows an unknown address to people as a page, and to programs as a problem', async () => {
    expect(wordsOf(await office.reader().get('/nada'))).toContain('Não há nada neste endereço.');
    const plain = await office.reader().get('/nada', { accept: 'application/json' });
    expect(plain.status).toBe(404);
    expect(plain.headers.get('content-type')).toBe('application/problem+json');
  });

  it('leaves the API as it is, also for browsers', async () => {
    const { status, headers } = await office.reader().get('/api/numbers');
    expect(status).toBe(401);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(headers.get('www-authenticate')).toContain('Bearer');
  });

  it('takes forms on its own pages alone', async () => {
    const login = await office.reader().post('/api/auth/login', { email: 'a', password: 'b' });
    expect(login.status).toBe(415);
    expect(JSON.parse(login.text)).toMatchObject({ code: 'unsupported-media-type' });
  });

  it('refuses a form that is too large, on a page', async () => {
    const page = await office.reader().post('/entrar', { email: 'a'.repeat(70_000) });
    expect(page.status).toBe(413);
    expect(wordsOf(page)).toContain('O formulário enviado é grande demais.');
  });

  it('takes nothing but text out of what is sent', async () => {
    const json = { 'content-type': 'application/json' };
    const body = JSON.stringify({ email: { $ne: '' }, password: ['x', 7] });
    const page = await office.reader().send('/entrar', { method: 'POST', headers: json, body });
    expect(page.status).toBe(400);
    expect(wordsOf(page)).toContain('E-mail: digite o seu e-mail.');
  });

  it('takes the last of several values, and no name for more than a name', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = 'email=first@x.example&__proto__=1&constructor=2&email=last@x.example&password=x';
    const page = await office.reader().send('/entrar', { method: 'POST', headers, body });
    expect(page.status).toBe(401);
    expect(page.text).toContain('value="last@x.example"');
  });

  it('never lets a page be kept, framed or told apart by its referrer', async () => {
    const { headers } = await office.clerk.get('/');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    // With `no-referrer`, browsers would send forms without their origin, and they would be refused.
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });

  it('has no style, script or handler in its markup, which the policy would block', async () => {
    for (const path of [
      '/',
      '/registro',
      '/auditoria',
      `/novo/${office.typeId}`,
      '/admin/usuarios',
      '/senha',
    ]) {
      const { text } = await office.admin.get(path);
      expect(text).not.toMatch(
        /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc="\/assets\/)|hx-on|js:|javascript:/,
      );
    }
  });

  it('serves its files for ever under their version, and to nobody for long under another', async () => {
    const { text } = await office.reader().get('/entrar');
    const paths = [...new Set([...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? ''))];
    expect(paths).toHaveLength(4);
    for (const path of paths) {
      const file = await office.reader().get(path);
      expect(file.status).toBe(200);
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const other = await office.reader().get(path.replace(/v=.*/, 'v=other'));
      expect(other.headers.get('cache-control')).toBe('no-store');
    }
    expect(await office.reader().get('/assets/../package.json')).toMatchObject({ status: 404 });
    expect(await office.reader().get('/assets/constructor')).toMatchObject({ status: 404 });
  });
});
