import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from 'playwright-core';
import { OTHER_PASSWORD } from '../testing/numbering-api.ts';
import { describeInChromium } from './testing/chromium.ts';
import { PageBrowser, smallTargets, violationsOf } from './testing/page-browser.ts';
import { wordsOf } from './testing/page-reader.ts';

const PHONE = { viewport: { width: 360, height: 740 } };

describeInChromium('the page in a browser', (executablePath) => {
  const office = new PageBrowser(executablePath);
  let typeId = '';

  beforeAll(async () => {
    typeId = await office.openType('Ofício', 'OF', 1);
    await office.openType('Comunicação Interna', 'CI', 2);
  });

  const nextNumber = async () => {
    const words = wordsOf(await office.admin.get('/'));
    return Number(/Ofício OF próximo (\d+)\/\d{4}/.exec(words)?.[1]);
  };

  const choosePassword = async (page: Page) => {
    await page.getByLabel('Nova senha').fill(OTHER_PASSWORD);
    await page.getByRole('button', { name: 'Salvar a nova senha' }).click();
  };

  const logIn = async (page: Page, email: string, password: string) => {
    await page.goto('/entrar');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Senha').fill(password);
    await page.getByRole('button', { name: 'Entrar' }).click();
  };

  describe.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('%s', (_, javaScriptEnabled) => {
    it('lets somebody new in after the change of password, and gives them a number', async () => {
      const email = `novo-${String(javaScriptEnabled)}@itajai.example`;
      const password = await office.invite(email, 'Caio Reis');
      const expected = await nextNumber();
      const page = await office.open({ javaScriptEnabled });

      await logIn(page, email, password);
      await page.waitForURL('/senha');
      await page.goto('/registro');
      expect(new URL(page.url()).pathname).toBe('/senha');
      await choosePassword(page);
      await page.getByRole('link', { name: /^Ofício/ }).click();
      await page.getByLabel('Assunto').fill('Pedido de prazo');
      await page.getByRole('button', { name: 'Confirmar' }).click();

      await page.waitForURL(/\/numeros\/\d+$/);
      expect(await page.locator('.result-number').innerText()).toMatch(
        new RegExp(`OF\\s+${expected}/\\d{4}`),
      );
      expect(await page.getByRole('button', { name: /^Copiar/ }).isVisible()).toBe(javaScriptEnabled);
    });

    it('gives one number for two fast clicks', async () => {
      const before = await nextNumber();
      const page = await office.open({ javaScriptEnabled }, office.admin);
      await page.goto(`/novo/${typeId}`);
      await page.getByRole('button', { name: 'Confirmar' }).dblclick();
      await page.waitForURL(/\/numeros\/\d+$/);
      await page.waitForLoadState('networkidle');
      expect(await nextNumber()).toBe(before + 1);
    });
  });

  it('sends a form that was sent already no second time', async () => {
    const page = await office.open({}, office.admin);
    let sent = 0;
    await page.route('**/numeros', async (route) => {
      sent += 1;
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await page.goto(`/novo/${typeId}`);
    await page.evaluate(
      `const button = document.querySelector('form[action="/numeros"] button'); button.click(); button.click();`,
    );
    await page.waitForURL(/\/numeros\/\d+$/);
    expect(sent).toBe(1);
  });

  it('copies the number and says so', async () => {
    const page = await office.open({ permissions: ['clipboard-read', 'clipboard-write'] }, office.admin);
    await page.goto(await office.admin.take(typeId));
    const number = await page.locator('.result-number .figure').innerText();
    await page.getByRole('button', { name: `Copiar ${number}` }).click();
    await page.getByText(`Copiado: ${number}`).waitFor({ state: 'attached' });
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(number);
  });

  it('copies where the browser has no clipboard for it', async () => {
    const page = await office.open({}, office.admin);
    await page.addInitScript(
      `Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.addEventListener('copy', () => { window.copied = String(document.activeElement.value); });`,
    );
    await page.goto(await office.admin.take(typeId));
    const number = await page.locator('.result-number .figure').innerText();
    await page.getByRole('button', { name: 'Copiar' }).click();
    await page.getByText(`Copiado: ${number}`).waitFor({ state: 'attached' });
    expect(await page.evaluate('window.copied')).toBe(number);
  });

  it.each([
    ['a number', () => office.admin.take(typeId)],
    ['a password', () => Promise.resolve('/admin/usuarios')],
  ])('says for all to see that %s could not be copied', async (what, place) => {
    const page = await office.open({ viewport: { width: 360, height: 740 } }, office.admin);
    await page.addInitScript(
      `Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.execCommand = () => false;`,
    );
    await page.goto(await place());
    if (what === 'a password') {
      await page.getByLabel('Nome').fill('Eva Melo');
      await page.getByLabel('E-mail').fill('eva@itajai.example');
      await page.getByRole('button', { name: 'Criar usuário' }).click();
    }
    await page.getByRole('button', { name: /^Copiar/ }).click();
    const notice = page.getByText('Não foi possível copiar. Selecione o texto e copie com Ctrl+C.');
    await notice.waitFor();
    const box = await notice.boundingBox();
    expect(box?.width).toBeGreaterThan(200);
    expect((box?.y ?? 740) + (box?.height ?? 0)).toBeLessThanOrEqual(740);
    expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(360);
    expect(await violationsOf(page)).toEqual([]);
  });

  it('shows what is typed into password fields to who wants to see it, until it is sent', async () => {
    const page = await office.open(PHONE);
    await page.goto('/entrar');
    const field = page.getByLabel('Senha');
    const toggle = page.getByRole('button', { name: 'Mostrar senha' });
    await field.fill('o que se digita');
    await toggle.click();
    expect(await field.getAttribute('type')).toBe('text');
    expect(await toggle.getAttribute('aria-pressed')).toBe('true');
    expect(await violationsOf(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
    expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(360);
    await toggle.click();
    expect(await field.getAttribute('type')).toBe('password');
    await toggle.click();
    await page.evaluate(
      `document.addEventListener('submit', (event) => {
        event.preventDefault();
        document.title = document.querySelector('[name=password]').type;
      })`,
    );
    await page.getByRole('button', { name: 'Entrar' }).click();
    expect(await page.title()).toBe('password');

    const own = await office.open(PHONE, office.admin);
    await own.goto('/senha');
    await own.getByRole('button', { name: 'Mostrar senha' }).click();
    for (const label of ['Senha atual', 'Nova senha']) {
      expect(await own.getByLabel(label).getAttribute('type')).toBe('text');
    }
  });

  it('shows no button that needs a script where there is none', async () => {
    const page = await office.open({ javaScriptEnabled: false });
    await page.goto('/entrar');
    expect(await page.getByText('Mostrar senha').isVisible()).toBe(false);
  });

  it('can be used with the keyboard alone', async () => {
    const page = await office.open({}, office.admin);
    const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()');
    const tabTo = async (pattern: RegExp) => {
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press('Tab');
        if (pattern.test(await focused())) return;
      }
      throw new Error(`No ${String(pattern)} in reach`);
    };
    await page.goto('/');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Ir para o conteúdo');
    await page.keyboard.press('Enter');
    await tabTo(/^Ofício/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/novo\//);
    await page.locator('[name=subject]:focus').waitFor();
    await page.keyboard.type('Só com o teclado');
    await tabTo(/^Confirmar/);
    expect(await page.evaluate('document.activeElement.matches(":focus-visible")')).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/numeros\/\d+$/);
    await page.getByText('Só com o teclado').waitFor();
  });

  it('puts the focus on the first wrong field', async () => {
    const page = await office.open({}, office.admin);
    await page.goto(`${await office.admin.take(typeId)}/anular`);
    await page.getByLabel('Motivo').fill('curto');
    await page.getByRole('button', { name: 'Anular o número' }).click();
    await page.getByText('Motivo: de 10 a 500 caracteres.').waitFor();
    expect(await page.evaluate('document.activeElement.name')).toBe('reason');
    expect(await page.getByLabel('Motivo').inputValue()).toBe('curto');
  });

  it('filters the register as one types, keeps the focus and the address, and says what it found', async () => {
    await office.admin.take(typeId, { subject: 'Girassol amarelo' });
    const page = await office.open({}, office.admin);
    await page.goto('/registro');
    const search = page.getByLabel('Buscar');
    await search.pressSequentially('girassol', { delay: 30 });
    await page.getByText('1 número.').first().waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?text=girassol');
    expect(await page.evaluate('document.activeElement.name')).toBe('text');
    await page.locator('#aviso', { hasText: '1 número.' }).waitFor({ state: 'attached' });
    expect(await page.getByRole('link', { name: 'Exportar CSV' }).getAttribute('href')).toBe(
      '/registro.csv?text=girassol',
    );
  });

  it('says for all to see that the register was not filtered, and takes no old count for a result', async () => {
    const page = await office.open({}, office.admin);
    await page.goto('/registro');
    await page.route('**/registro?**', (route) => route.fulfill({ status: 503, body: '' }));
    const search = page.getByLabel('Buscar');
    await search.pressSequentially('girassol');
    const notice = page.getByText('Não foi possível atualizar agora.');
    await notice.waitFor();
    expect((await notice.boundingBox())?.width).toBeGreaterThan(200);
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(200);
    expect(await notice.isVisible()).toBe(true);
    expect(new URL(page.url()).search).toBe('');
    expect(office.takeComplaints()).toContainEqual(expect.stringContaining('503'));

    await page.unroute('**/registro?**');
    await search.pressSequentially('x');
    await notice.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?text=girassolx');
  });

  it('keeps the next numbers fresh while somebody is there, and rests when nobody is', async () => {
    const page = await office.open({}, office.admin);
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/proximos')) asked += 1;
    });
    await page.clock.install();
    await page.goto('/');
    await page.getByRole('link', { name: 'Registro íntegro' }).waitFor();
    await office.admin.take(typeId);
    const expected = await nextNumber();
    await page.clock.runFor(15_000);
    await page.getByRole('link', { name: new RegExp(`^Ofício OF próximo ${expected}/`) }).waitFor();
    expect(asked).toBe(1);

    await page.clock.fastForward(11 * 60_000);
    const restingSince = asked;
    await page.clock.runFor(60_000);
    expect(asked).toBe(restingSince);
    const resumed = page.waitForRequest('**/proximos');
    await page.keyboard.press('Shift');
    await page.clock.runFor(15_000);
    await resumed;
  });

  describe('every page', () => {
    const paths = new Map<string, string>();

    beforeAll(async () => {
      const taken = await office.admin.take(typeId, {
        subject: `Assunto ${'muitíssimo '.repeat(12)}comprido`,
        recipient: 'umapalavrasemnenhumespaço'.repeat(6),
      });
      await office.admin.post(`${taken}/corrigir`, { subject: 'Corrigido', notes: 'palavra'.repeat(40) });
      const annulled = await office.admin.take(typeId);
      await office.admin.post(`${annulled}/anular`, { reason: 'Emitido por engano, em duplicidade' });
      await office.invite(`${'comprido.'.repeat(6)}nome@itajai.example`, `Maria ${'Conceição '.repeat(8)}`);
      await office.admin.post('/admin/faixas', { issuer: '11.222.333/0001-81', kind: 'nfe', series: '1' });
      const user = /\/admin\/usuarios\/[0-9a-f-]{36}/.exec((await office.admin.get('/admin/usuarios')).text);
      for (const path of [
        '/',
        `/novo/${typeId}`,
        taken,
        annulled,
        `${taken}/corrigir`,
        `${taken}/anular`,
        '/registro',
        '/registro?text=nada+disso',
        '/registro?from=ontem',
        '/auditoria',
        '/senha',
        '/admin/usuarios',
        user?.[0] ?? '',
        '/admin/tipos',
        `/admin/tipos/${typeId}`,
        '/admin/sequencias',
        '/admin/faixas',
        '/admin/faixas/1',
        '/admin/historico',
        '/nada/aqui',
      ]) {
        paths.set(path, path);
      }
    });

    const visit = async (page: Page, path: string) => {
      await page.goto(path);
      if (path === '/') await page.getByRole('link', { name: 'Registro íntegro' }).waitFor();
    };

    it('fits a phone, and a finger', async () => {
      const page = await office.open(PHONE, office.admin);
      for (const path of paths.values()) {
        await visit(page, path);
        const width = await page.evaluate<number>('document.scrollingElement.scrollWidth');
        expect({ path, width, small: await smallTargets(page) }).toEqual({ path, width: 360, small: [] });
      }
    }, 60_000);

    it.each([
      ['light', 1280],
      ['dark', 1280],
      ['light', 360],
      ['dark', 360],
    ] as const)(
      'breaks no rule of accessibility, %s and %i wide',
      async (colorScheme, width) => {
        const page = await office.open({ colorScheme, viewport: { width, height: 800 } }, office.admin);
        for (const path of paths.values()) {
          await visit(page, path);
          expect({ path, violations: await violationsOf(page) }).toEqual({ path, violations: [] });
          expect({ path, headings: await page.locator('h1').count() }).toEqual({ path, headings: 1 });
        }
        const stranger = await office.open({ colorScheme, viewport: { width, height: 800 } });
        await stranger.goto('/entrar');
        expect(await violationsOf(stranger)).toEqual([]);
        await stranger.getByRole('button', { name: 'Entrar' }).click();
        await stranger.getByText('Senha: digite a sua senha.').waitFor();
        expect(await violationsOf(stranger)).toEqual([]);
      },
      120_000,
    );

    it('would be told of a text that is too pale', async () => {
      const page = await office.open({ colorScheme: 'light' }, office.admin);
      await visit(page, '/');
      await page.evaluate(`document.querySelector('h1').style.color = '#ddd'`);
      expect(await violationsOf(page)).toEqual([expect.stringContaining('color-contrast')]);
    });

    it('breaks none while a temporary password is shown', async () => {
      const page = await office.open({}, office.admin);
      await page.goto('/admin/usuarios');
      await page.getByLabel('Nome').fill('Dora Dias');
      await page.getByLabel('E-mail').fill('dora@itajai.example');
      await page.getByRole('button', { name: 'Criar usuário' }).click();
      await page.getByText('Ela não será mostrada de novo.').waitFor();
      expect(await violationsOf(page)).toEqual([]);
    });
  });

  it('prints the register alone: whose, which and when, under headings that repeat', async () => {
    const page = await office.open({}, office.admin);
    await page.goto('/registro?state=issued');
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['header.site', '.filters', '.site-footer', 'text=Exportar CSV']) {
      expect({ hidden, isVisible: await page.locator(hidden).isVisible() }).toEqual({
        hidden,
        isVisible: false,
      });
    }
    expect(await page.locator('.print-only').innerText()).toMatch(
      /Situação: Emitido\s+Impresso em .* por Ana Souza/,
    );
    const display = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).display`);
    expect(await display('thead')).toBe('table-header-group');
    expect(await display('tbody tr')).toBe('table-row');
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await display('thead')).toBe('table-header-group');
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
  });
});
