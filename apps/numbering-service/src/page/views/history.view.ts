import type { AdminActionDto } from '../../admin-actions/admin-action.dto.ts';
import type { SignedIn } from '../../auth/signed-in.ts';
import { type Html, html } from '../html.ts';
import { text } from '../messages.ts';
import { adminLayout } from './admin-layout.ts';
import { type Column, table } from './table.ts';
import { timeTag } from './time.ts';

const COLUMNS: readonly Column<AdminActionDto>[] = [
  { label: text.history.when, cell: ({ at }) => timeTag(at), className: 'col-when' },
  {
    label: text.history.who,
    cell: ({ actorId, actorName }) => (actorId === 'console' ? text.history.console : actorName),
  },
  { label: text.history.what, cell: ({ action }) => text.history.actions[action] ?? action, isHead: true },
  { label: text.history.subject, cell: ({ subject }) => subject, className: 'col-text' },
  {
    label: text.history.details,
    cell: (action) => detailsOf(action).join('; ') || text.none,
    className: 'col-text',
  },
];

export interface HistoryView {
  readonly actions: readonly AdminActionDto[];
  readonly next: string | undefined;
  readonly isFirstPage: boolean;
}

export function historyPage(user: SignedIn, { actions, next, isFirstPage }: HistoryView): Html {
  const { older, newest } = text.register;
  return adminLayout(user, {
    tab: 'historico',
    title: text.admin.history,
    body: html`${
        actions.length === 0
          ? html`<p>${text.history.empty}</p>`
          : table({ caption: text.history.list, columns: COLUMNS, rows: actions })
      }
      <p class="buttons paging">
        ${!isFirstPage && html`<a class="button quiet" href="/admin/historico">${newest}</a>`}
        ${next !== undefined && html`<a class="button quiet" rel="next" href="/admin/historico?cursor=${next}">${older}</a>`}
      </p>`,
  });
}

/** Only what has a name here; ids are for programs. */
function detailsOf({ reason, details }: AdminActionDto): string[] {
  const { before, after, ...others } = details;
  const changes = isRecord(before) && isRecord(after) ? changesOf(before, after) : [];
  const facts = Object.entries(others).flatMap(([name, value]) => {
    const label = text.history.fields[name];
    return label === undefined ? [] : [`${label}: ${wordOf(value)}`];
  });
  return [...(reason === null ? [] : [reason]), ...changes, ...facts];
}

function changesOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): string[] {
  return Object.keys(after)
    .filter((name) => before[name] !== after[name])
    .map((name) => `${text.history.fields[name] ?? name}: ${wordOf(before[name])} → ${wordOf(after[name])}`);
}

function wordOf(value: unknown): string {
  if (value === null || value === undefined) return text.none;
  if (typeof value === 'boolean') return value ? text.history.yes : text.history.no;
  if (value === 'admin' || value === 'user') return text.roles[value];
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
