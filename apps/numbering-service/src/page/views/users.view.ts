import type { SignedIn } from '../../auth/signed-in.ts';
import type { UserDto } from '../../users/user.dto.ts';
import { ROLES } from '../../users/user.entity.ts';
import { type Html, html } from '../html.ts';
import { text } from '../messages.ts';
import { activeTag, adminLayout, manageLink } from './admin-layout.ts';
import { actionForm, type FormState, selectField, summary, textField } from './form.ts';
import { copyButton } from './number-parts.ts';
import { type Column, table } from './table.ts';
import { dateAndTime, timeTag } from './time.ts';

const ROLE_OPTIONS = ROLES.toReversed().map((value) => ({ value, label: text.roles[value] }));

const COLUMNS: readonly Column<UserDto>[] = [
  { label: text.users.name, cell: ({ name }) => name, isHead: true },
  { label: text.users.email, cell: ({ email }) => email, className: 'col-text' },
  { label: text.users.role, cell: ({ role }) => text.roles[role] },
  { label: text.users.state, cell: ({ isActive }) => activeTag(isActive) },
  { label: text.users.lastLogin, cell: lastLoginOf },
  { label: text.admin.actions, cell: ({ id, name }) => manageLink(`/admin/usuarios/${id}`, name) },
];

export interface UsersView {
  readonly users: readonly UserDto[];
  readonly state: FormState;
  readonly done?: string | undefined;
}

export function usersPage(user: SignedIn, { users, state, done }: UsersView): Html {
  const { list, create, createHint, submit } = text.users;
  return adminLayout(user, {
    tab: 'usuarios',
    title: text.admin.users,
    done,
    isRefusal: state.problem !== undefined,
    body: html`${table({ caption: list, columns: COLUMNS, rows: users })}
      <section class="form-section" aria-labelledby="novo">
        <h2 id="novo">${create}</h2>
        <p class="hint">${createHint}</p>
        <form method="post" action="/admin/usuarios" class="panel" novalidate>
          ${summary(state)} ${nameField(state)}
          ${textField(state, { name: 'email', label: text.users.email, type: 'email', maxLength: 254, autocomplete: 'off' })}
          ${roleField(state)}
          <p class="buttons"><button>${submit}</button></p>
        </form>
      </section>`,
  });
}

export interface UserView {
  readonly user: UserDto;
  readonly state: FormState;
  readonly done?: string | undefined;
}

export function userPage(admin: SignedIn, { user, state, done }: UserView): Html {
  const path = `/admin/usuarios/${user.id}`;
  return adminLayout(admin, {
    tab: 'usuarios',
    title: user.name,
    done,
    isRefusal: state.problem !== undefined,
    body: html`<p class="lead">${user.email} ${activeTag(user.isActive)}</p>
      <form method="post" action="${path}" class="panel" novalidate>
        <h2>${text.users.change}</h2>
        ${summary(state)} ${nameField(state)} ${roleField(state)}
        <p class="buttons">
          <button>${text.save}</button> <a class="button quiet" href="/admin/usuarios">${text.back}</a>
        </p>
      </form>
      ${user.id === admin.id ? html`<p class="hint">${text.users.self}</p>` : actionsOf(user, path)}`,
  });
}

/** Shown in answer to the form that made it, and never again. */
export function temporaryPasswordPage(admin: SignedIn, user: UserDto, temporaryPassword: string): Html {
  const { passwordTitle, passwordFor, passwordOnce, passwordDone } = text.users;
  const until = user.temporaryPasswordExpiresAt;
  return adminLayout(admin, {
    tab: 'usuarios',
    title: passwordTitle,
    body: html`<p class="lead">${passwordFor(user.name)}</p>
      <div class="result">
        <p class="result-type">${user.email}</p>
        <p class="secret"><code>${temporaryPassword}</code></p>
        ${copyButton(temporaryPassword, 'large')}
      </div>
      <p class="notice warning">${passwordOnce(until ? dateAndTime(until) : text.none)}</p>
      <p class="buttons"><a class="button" href="/admin/usuarios">${passwordDone}</a></p>`,
  });
}

function actionsOf({ isActive }: UserDto, path: string): Html {
  const { reset, resetHint, sessions, sessionsHint, deactivateHint, activateHint } = text.users;
  return html`<div class="actions">
    ${isActive && actionForm(`${path}/senha`, reset, resetHint)}
    ${actionForm(`${path}/sessoes`, sessions, sessionsHint)}
    ${
      isActive
        ? actionForm(`${path}/desativar`, text.admin.deactivate, deactivateHint, true)
        : actionForm(`${path}/ativar`, text.admin.activate, activateHint)
    }
  </div>`;
}

function nameField(state: FormState): Html {
  return textField(state, { name: 'name', label: text.users.name, maxLength: 100, autocomplete: 'off' });
}

function roleField(state: FormState): Html {
  return selectField(state, { name: 'role', label: text.users.role, options: ROLE_OPTIONS });
}

function lastLoginOf({ lastLoginAt, temporaryPasswordExpiresAt: until }: UserDto): Html {
  const last = lastLoginAt ? timeTag(lastLoginAt) : text.users.never;
  return html`${last}${until && html` <span class="hint">${text.users.waiting(dateAndTime(until))}</span>`}`;
}
