import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { openType } from '@malote/numbering/testing';
import { UnitOfWork } from '@malote/persistence';
import { startTestService, type TestService } from '@malote/service-kit/testing';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { NumberingServiceConfig } from '../../numbering-service.config.ts';
import { service as definition } from '../../service.ts';
import { GOOD_PASSWORD } from '../../testing/numbering-api.ts';
import { UsersService } from '../../users/users.service.ts';
import { CHROMIUM_ARGUMENTS } from './chromium.ts';
import { PageReader } from './page-reader.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = JSON.stringify(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']);
const START_TIMEOUT_MS = 60_000;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** A service and a browser, from the first test to the last. Whatever the browser complains of fails the test it happens in. */
export class PageBrowser {
  private running: TestService<NumberingServiceConfig> | undefined;
  private browser: Browser | undefined;
  private readonly complaints: string[] = [];
  /** Who is logged in at the page, without a browser. */
  admin!: PageReader;

  constructor(executablePath: string) {
    beforeAll(async () => {
      this.running = await startTestService(definition, { env: { BCRYPT_COST: '4' } });
      this.browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS });
      const users = this.service.app.get(UsersService);
      const { temporaryPassword } = await users.createFirstAdmin({
        email: 'ana@itajai.example',
        name: 'Ana Souza',
      });
      this.admin = new PageReader(this);
      await this.admin.logIn('ana@itajai.example', temporaryPassword, '/senha');
      await this.admin.post('/senha', { newPassword: GOOD_PASSWORD });
    }, START_TIMEOUT_MS);
    afterEach(async () => {
      for (const context of this.browser?.contexts() ?? []) await context.close();
      expect(this.takeComplaints()).toEqual([]);
    });
    afterAll(async () => {
      await this.browser?.close();
      await this.running?.close();
    });
  }

  get service(): TestService<NumberingServiceConfig> {
    if (!this.running) throw new Error('The service runs inside hooks and tests only');
    return this.running;
  }

  /** What the browser complained of so far, where a test is about just that. */
  takeComplaints(): string[] {
    return this.complaints.splice(0);
  }

  openType(name: string, prefix: string, sortOrder: number): Promise<string> {
    return openType(this.service.app.get(UnitOfWork), { name, prefix, sortOrder });
  }

  /** A new person who has to choose a password yet. */
  async invite(email: string, name: string): Promise<string> {
    const users = this.service.app.get(UsersService);
    return (await users.create({ id: 'console', name: 'console' }, { email, name, role: 'user' }))
      .temporaryPassword;
  }

  /** An empty browser, or one in which somebody is logged in. */
  async open(options: BrowserContextOptions = {}, who?: PageReader): Promise<Page> {
    if (!this.browser) throw new Error('The browser runs inside hooks and tests only');
    const { url: baseURL } = this.service;
    const context = await this.browser.newContext({ baseURL, locale: 'pt-BR', ...options });
    const [name, value] = who?.cookie.split('=') ?? [];
    if (name !== undefined && value !== undefined) await context.addCookies([{ name, value, url: baseURL }]);
    const page = await context.newPage();
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      // The browser notes that a page came with a 400, as a refused form does.
      const isOwnStatus = message.location().url === page.url() && /status of 4\d\d/.test(message.text());
      if (['error', 'warning'].includes(message.type()) && !isOwnStatus) this.complaints.push(message.text());
    });
    return page;
  }
}

/** What breaks the rules of accessibility, in words. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const run = `axe.run(document, { runOnly: { type: 'tag', values: ${RULES} } }).then(({ violations }) => violations)`;
  const violations = await page.evaluate<readonly Violation[]>(run);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** What is touched and smaller than a finger. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('a, button, input, select, textarea, summary')]
    .filter((target) => target.checkVisibility() && !target.matches('.skip, .visually-hidden'))
    .filter((target) => target.getBoundingClientRect().height < 43.5)
    .map((target) => target.outerHTML)`);
}
