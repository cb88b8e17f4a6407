import type { SignedIn } from '../../auth/signed-in.ts';
import { assetPath } from '../assets/assets.ts';
import { type Html, html } from '../html.ts';
import { text } from '../messages.ts';

export type Section = 'home' | 'register' | 'audit' | 'admin' | 'password';

export interface PageView {
  readonly title: string;
  readonly section?: Section;
  /** Below the heading. */
  readonly body: Html;
  /** When the heading says something else than the title. */
  readonly heading?: Html | string;
  readonly isRefusal?: boolean;
  /** A narrow page is easier to read when it is one form. */
  readonly isNarrow?: boolean;
}

/** No styles of its own, no swaps of errors into the middle of a page, no history: addresses change by links and forms. */
const HTMX_CONFIG = JSON.stringify({
  includeIndicatorCSS: false,
  history: false,
  noSwap: [204, 304, '4xx', '5xx'],
});

const LINKS = [
  ['home', '/', text.nav.home],
  ['register', '/registro', text.nav.register],
  ['audit', '/auditoria', text.nav.audit],
  ['admin', '/admin/usuarios', text.nav.admin],
] as const;

export function layout(user: SignedIn | undefined, view: PageView): Html {
  const { title, section, body, heading = title, isRefusal, isNarrow } = view;
  return html`<!doctype html>
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content="${HTMX_CONFIG}" />
        <title>${isRefusal ? text.errorTitle(title) : title} · ${text.product}</title>
        <link rel="icon" href="${assetPath('icone.svg')}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assetPath('pagina.css')}" />
        <script src="${assetPath('htmx.min.js')}" defer></script>
        <script src="${assetPath('pagina.js')}" defer></script>
      </head>
      <body>
        <a class="skip" href="#conteudo">${text.skip}</a>
        <header class="site">
          <div class="site-inner">
            ${brand(user)} ${user && !user.mustChangePassword && mainNav(user, section)}
            ${user && account(user, section)}
          </div>
        </header>
        <main id="conteudo" tabindex="-1" ${isNarrow && html`class="narrow"`}>
          <h1>${heading}</h1>
          ${body}
        </main>
        <footer class="site-footer">${text.brand} · ${text.footer}</footer>
        <p id="aviso" class="visually-hidden" role="status"></p>
      </body>
    </html> `;
}

function brand(user: SignedIn | undefined): Html {
  const name = html`<img src="${assetPath('icone.svg')}" alt="" width="32" height="32" /><span
      >${text.product}</span
    >`;
  return user ? html`<a class="brand" href="/">${name}</a>` : html`<p class="brand">${name}</p>`;
}

function mainNav({ role }: SignedIn, section: Section | undefined): Html {
  const links = LINKS.filter(([name]) => name !== 'admin' || role === 'admin');
  return html`<nav class="main-nav" aria-label="${text.nav.main}">
    <ul>
      ${links.map(([name, path, label]) => html`<li><a href="${path}" ${name === section && CURRENT}>${label}</a></li>`)}
    </ul>
  </nav>`;
}

function account({ name, mustChangePassword }: SignedIn, section: Section | undefined): Html {
  const change = html`<a href="/senha" ${section === 'password' && CURRENT}>${text.nav.password}</a>`;
  return html`<nav class="account" aria-label="${text.nav.account}">
    <span class="who">${name}</span>
    ${!mustChangePassword && change}
    <form method="post" action="/sair"><button class="plain">${text.nav.leave}</button></form>
  </nav>`;
}

export const CURRENT = html`aria-current="page"`;

/** What was just done, told once by the address the form led to. */
export function doneNotice(done: string | undefined): Html | false {
  const message = done !== undefined && Object.hasOwn(text.done, done) && text.done[done];
  return message ? html`<p class="notice done" role="status">${message}</p>` : false;
}
