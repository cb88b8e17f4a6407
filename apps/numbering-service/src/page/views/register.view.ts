import type { SignedIn } from '../../auth/signed-in.ts';
import type { NumberDto } from '../../numbers/number.dto.ts';
import { NUMBER_STATES } from '../../numbers/register.query.ts';
import type { FormFields } from '../form-fields.ts';
import { type Html, html } from '../html.ts';
import { text } from '../messages.ts';
import { type FormState, type Option, selectField, summary, textField } from './form.ts';
import { layout } from './layout.ts';
import { numberLink, stateWithReason } from './number-parts.ts';
import { type Column, table } from './table.ts';
import { dateAndTime, dayOf, timeTag } from './time.ts';

export interface RegisterView {
  readonly state: FormState;
  readonly types: readonly Option[];
  readonly people: readonly Option[];
  readonly numbers: readonly NumberDto[];
  /** `cursor` of the next page. */
  readonly next: string | undefined;
  readonly office: string;
  readonly now: Date;
}

const STATES = NUMBER_STATES.map((value) => ({ value, label: text.states[value] }));

const COLUMNS: readonly Column<NumberDto>[] = [
  { label: text.register.number, cell: numberLink, isHead: true, className: 'col-number' },
  { label: text.register.type, cell: ({ documentTypeName }) => documentTypeName },
  { label: text.register.subject, cell: ({ subject }) => subject ?? text.none, className: 'col-text' },
  { label: text.register.recipient, cell: ({ recipient }) => recipient ?? text.none, className: 'col-text' },
  { label: text.register.who, cell: ({ user }) => user.name },
  { label: text.register.when, cell: ({ generatedAt }) => timeTag(generatedAt), className: 'col-when' },
  { label: text.register.state, cell: stateWithReason, className: 'col-state' },
];

export function registerPage(user: SignedIn, view: RegisterView): Html {
  return layout(user, {
    title: text.register.title,
    section: 'register',
    isRefusal: view.state.problem !== undefined,
    body: html`${filterForm(view)} ${results(user, view)}`,
  });
}

/** Filters as one types where there is a script, and by its button where there is none. */
function filterForm({ state, types, people }: RegisterView): Html {
  const { filters, textHint, type, from, to, who, all, allStates, submit, clear } = text.register;
  return html`<form
    method="get"
    action="/registro"
    class="filters"
    role="search"
    aria-label="${filters}"
    novalidate
    hx-get="/registro"
    hx-target="#resultado"
    hx-select="#resultado"
    hx-swap="outerHTML"
    hx-trigger="input delay:300ms, submit"
    hx-sync="this:replace"
    data-keeps-address
  >
    ${summary(state)}
    <div class="filter-fields">
      ${textField(state, { name: 'text', label: text.register.text, hint: textHint, type: 'search', maxLength: 100, isOptional: true, className: 'wide' })}
      ${selectField(state, { name: 'documentTypeId', label: type, options: types, empty: all, isOptional: true })}
      ${selectField(state, { name: 'userId', label: who, options: people, empty: all, isOptional: true })}
      ${textField(state, { name: 'from', label: from, type: 'date', isOptional: true })}
      ${textField(state, { name: 'to', label: to, type: 'date', isOptional: true })}
      ${selectField(state, { name: 'state', label: text.register.state, options: STATES, empty: allStates, isOptional: true })}
    </div>
    <p class="buttons"><button>${submit}</button> <a class="button quiet" href="/registro">${clear}</a></p>
  </form>`;
}

function results(user: SignedIn, view: RegisterView): Html {
  const { numbers, next, state } = view;
  const { csv, print, older, newest, empty, noneYet, shown } = text.register;
  const { cursor, ...filters } = state.values;
  const hasFilters = Object.keys(filters).length > 0;
  const count = shown(numbers.length, next !== undefined);
  const none = hasFilters ? empty : noneYet;
  return html`<section
    id="resultado"
    aria-label="${text.register.title}"
    data-announce="${numbers.length === 0 ? none : count}"
  >
    ${printHead(user, view)}
    <div class="result-bar">
      <p class="count">${numbers.length === 0 ? none : count}</p>
      <p class="buttons">
        <a class="button quiet" href="/registro.csv${queryOf(filters)}">${csv}</a>
        <button type="button" class="quiet needs-script" data-print>${print}</button>
      </p>
    </div>
    ${
      numbers.length > 0 &&
      table({
        caption: text.register.title,
        columns: COLUMNS,
        rows: numbers,
        rowClass: ({ state: is }) => (is === 'annulled' ? 'is-annulled' : undefined),
      })
    }
    <p class="buttons paging">
      ${cursor !== undefined && html`<a class="button quiet" href="/registro${queryOf(filters)}">${newest}</a>`}
      ${next !== undefined && html`<a class="button quiet" rel="next" href="/registro${queryOf({ ...filters, cursor: next })}">${older}</a>`}
    </p>
  </section>`;
}

/** On paper, what the address and the filters say on the screen. */
function printHead(user: SignedIn, { state, types, people, office, now, next }: RegisterView): Html {
  const { noFilter, printedAt, hasOlder } = text.register;
  const words = filterWords(state.values, types, people);
  return html`<div class="print-only">
    <p><strong>${office}</strong></p>
    <p>${words.length === 0 ? noFilter : words.join(' · ')}</p>
    <p>${printedAt(dateAndTime(now), user.name)}${next !== undefined && `. ${hasOlder}`}</p>
  </div>`;
}

function filterWords(values: FormFields, types: readonly Option[], people: readonly Option[]): string[] {
  const labels = text.register;
  const chosen = (options: readonly Option[], value: string) =>
    options.find((option) => option.value === value)?.label ?? value;
  const words: readonly (readonly [string, string | undefined, (value: string) => string])[] = [
    [labels.text, values.text, (value) => value],
    [labels.type, values.documentTypeId, (value) => chosen(types, value)],
    [labels.who, values.userId, (value) => chosen(people, value)],
    [labels.state, values.state, (value) => chosen(STATES, value)],
    [labels.from, values.from, dayOf],
    [labels.to, values.to, dayOf],
  ];
  return words.flatMap(([label, value, say]) => (value === undefined ? [] : [`${label}: ${say(value)}`]));
}

function queryOf(values: FormFields): string {
  const query = new URLSearchParams(values).toString();
  return query === '' ? '' : `?${query}`;
}
