import type { SignedIn } from '../../auth/signed-in.ts';
import { type Html, html } from '../html.ts';
import { text } from '../messages.ts';
import { CURRENT, doneNotice, layout } from './layout.ts';

const TABS = [
  ['usuarios', text.admin.users],
  ['tipos', text.admin.types],
  ['sequencias', text.admin.sequences],
  ['faixas', text.admin.ranges],
  ['historico', text.admin.history],
] as const;

export type AdminTab = (typeof TABS)[number][0];

export interface AdminView {
  readonly tab: AdminTab;
  readonly title: string;
  readonly body: Html;
  readonly done?: string | undefined;
  readonly isRefusal?: boolean;
}

export function adminLayout(user: SignedIn, { tab, title, body, done, isRefusal = false }: AdminView): Html {
  return layout(user, {
    title,
    section: 'admin',
    isRefusal,
    body: html`<nav class="tabs" aria-label="${text.admin.nav}">
        <ul>
          ${TABS.map(([path, label]) => html`<li><a href="/admin/${path}" ${path === tab && CURRENT}>${label}</a></li>`)}
        </ul>
      </nav>
      ${doneNotice(done)} ${body}`,
  });
}

export function activeTag(isActive: boolean): Html {
  return html`<span class="tag ${isActive ? 'issued' : 'annulled'}"
    >${isActive ? text.admin.active : text.admin.inactive}</span
  >`;
}

export function manageLink(path: string, name: string): Html {
  return html`<a href="${path}" aria-label="${text.admin.manageOf(name)}">${text.admin.manage}</a>`;
}
