import type { SignedIn } from '../../auth/signed-in.ts';
import type { DocumentTypeDto } from '../../document-types/document-type.dto.ts';
import { type Html, html } from '../html.ts';
import { text } from '../messages.ts';
import { activeTag, adminLayout, manageLink } from './admin-layout.ts';
import { actionForm, type FormState, summary, textField } from './form.ts';
import { type Column, table } from './table.ts';

const COLUMNS: readonly Column<DocumentTypeDto>[] = [
  { label: text.types.name, cell: ({ name }) => name, isHead: true },
  { label: text.types.prefix, cell: ({ prefix }) => prefix ?? text.none },
  { label: text.types.order, cell: ({ sortOrder }) => sortOrder, className: 'col-figure' },
  { label: text.users.state, cell: ({ isActive }) => activeTag(isActive) },
  { label: text.admin.actions, cell: ({ id, name }) => manageLink(`/admin/tipos/${id}`, name) },
];

export interface TypesView {
  readonly types: readonly DocumentTypeDto[];
  readonly state: FormState;
  readonly done?: string | undefined;
}

export function typesPage(user: SignedIn, { types, state, done }: TypesView): Html {
  return adminLayout(user, {
    tab: 'tipos',
    title: text.admin.types,
    done,
    isRefusal: state.problem !== undefined,
    body: html`${table({ caption: text.types.list, columns: COLUMNS, rows: types })}
      <section class="form-section" aria-labelledby="novo">
        <h2 id="novo">${text.types.create}</h2>
        <form method="post" action="/admin/tipos" class="panel" novalidate>
          ${summary(state)} ${typeFields(state, true)}
          <p class="buttons"><button>${text.types.submit}</button></p>
        </form>
      </section>`,
  });
}

export interface TypeView {
  readonly type: DocumentTypeDto;
  readonly state: FormState;
  readonly done?: string | undefined;
}

export function typePage(user: SignedIn, { type, state, done }: TypeView): Html {
  const { change, changeHint, deactivateHint, activateHint, remove, removeHint } = text.types;
  const path = `/admin/tipos/${type.id}`;
  return adminLayout(user, {
    tab: 'tipos',
    title: type.name,
    done,
    isRefusal: state.problem !== undefined,
    body: html`<p class="lead">${activeTag(type.isActive)}</p>
      <form method="post" action="${path}" class="panel" novalidate>
        <h2>${change}</h2>
        <p class="hint">${changeHint}</p>
        ${summary(state)} ${typeFields(state, false)}
        <p class="buttons">
          <button>${text.save}</button> <a class="button quiet" href="/admin/tipos">${text.back}</a>
        </p>
      </form>
      <div class="actions">
        ${
          type.isActive
            ? actionForm(`${path}/desativar`, text.admin.deactivate, deactivateHint, true)
            : actionForm(`${path}/ativar`, text.admin.activate, activateHint)
        }
        ${actionForm(`${path}/remover`, remove, removeHint, true)}
      </div>`,
  });
}

function typeFields(state: FormState, mayLackOrder: boolean): Html {
  const { name, prefix, prefixHint, order, orderHint } = text.types;
  return html`${textField(state, { name: 'name', label: name, maxLength: 50, autocomplete: 'off' })}
  ${textField(state, { name: 'prefix', label: prefix, hint: prefixHint, maxLength: 10, isOptional: true, autocomplete: 'off' })}
  ${textField(state, { name: 'sortOrder', label: order, hint: orderHint, maxLength: 4, inputMode: 'numeric', isOptional: mayLackOrder, autocomplete: 'off' })}`;
}
